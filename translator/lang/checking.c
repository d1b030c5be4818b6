/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/checking.h"

#include "ast/access.h"
#include "ast/ast.h"
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

/* ---- assignments ---- */

static void check_iterated(struct checking *ck, const struct node *place, struct loc loc)
{
	const struct node *name = place->kind == NODE_INDEX ? place->base : place;

	if (name->kind != NODE_NAME || !name->symbol)
		return;
	vec_each(&ck->iterated, i) {
		if (ck->iterated.data[i] == name->symbol)
			typing_error(&ck->in, loc, "'%s' is changed inside a foreach loop over it",
				     name->name);
	}
}

static void check_target_write(struct checking *ck, const struct node *target)
{
	const struct access *a = target->access;

	if (target->type == TYPE_ERROR)
		return;
	if (a && a->own && !a->own->set) {
		typing_error(&ck->in, target->loc, "'%s' cannot be set: %s", target->target_name,
			     a->own->unwritten);
		return;
	}
	if (a && a->own)
		return;
	if (a && !targetwrite_is_allowed(a))
		typing_error(
			&ck->in, target->loc,
			"'%s' cannot be written: it is neither in memory nor in a register here",
			unparse_node(ck->in.s->arena, target));
	else
		checking_need_guru(ck, target->loc, "this writes to the probed program");
}

void checking_place(struct checking *ck, const struct node *place, struct loc loc)
{
	if (place->kind == NODE_ENTRY)
		typing_error(
			&ck->in, place->loc,
			"'%s' cannot be written: here it is the value that was saved when the "
			"function was entered",
			unparse_node(ck->in.s->arena, place->entry_of->saved.data[place->slot]));
	else if (place->kind == NODE_TARGET)
		check_target_write(ck, place);
	else
		check_iterated(ck, place, loc);
}
