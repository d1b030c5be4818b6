/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/checking.h"

#include "ast/ops.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/ops.h"

void checking_children(struct checking *ck, struct node *n)
{
	for (unsigned i = 0; i < 4; i++)
		checking_node(ck, n->kid[i]);
	for (struct node *item = n->list; item; item = item->next)
		checking_node(ck, item);
}

void checking_node(struct checking *ck, struct node *n)
{
	if (!n)
		return;
	if (node_ops[n->kind]->check)
		node_ops[n->kind]->check(ck, n);
	else
		checking_children(ck, n);
}

/* ---- guru mode and privileges: uapi/privilege.h ---- */

static bool is_user(struct loc loc)
{
	return loc.source && !loc.source->is_tapset;
}

void checking_need_guru(struct checking *ck, struct loc loc, const char *what)
{
	if (is_user(loc) && !ck->in.s->options->guru)
		typing_error(&ck->in, loc, "%s; it needs stap -g", what);
}

static const enum stp_privilege least_for_use[PRIVILEGE_USE_COUNT] = {
#define USE(name, least) [PRIVILEGE_USE_##name] = PRIVILEGE_##least,
	STP_PRIVILEGE_USES(USE)
#undef USE
};

void checking_need_level(struct checking *ck, struct loc loc, enum stp_privilege least,
			 const char *what)
{
	enum stp_privilege level = ck->in.s->options->privilege;

	if (level < least)
		typing_error(&ck->in, loc, "%s is not for --privilege=%s", what,
			     privilege_names[level]);
}

void checking_need_use(struct checking *ck, struct loc loc, enum stp_privilege_use use,
		       const char *what)
{
	checking_need_level(ck, loc, least_for_use[use], what);
}

/* ---- places ---- */

void checking_iterated(struct checking *ck, const struct node *name, struct loc loc)
{
	vec_each(&ck->iterated, i) {
		if (ck->iterated.data[i] == name->symbol)
			typing_error(&ck->in, loc, "'%s' is changed inside a foreach loop over it",
				     name->name);
	}
}

void checking_place(struct checking *ck, const struct node *place, struct loc loc)
{
	if (node_ops[place->kind]->check_change)
		node_ops[place->kind]->check_change(ck, place, loc);
}
