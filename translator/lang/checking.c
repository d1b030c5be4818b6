/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/checking.h"

#include "ast/ast.h"
#include "ast/ops.h"
#include "ast/program.h"
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

static void check_reach(struct checking *ck, const struct node *n);

void checking_node(struct checking *ck, struct node *n)
{
	if (!n)
		return;
	check_reach(ck, n);
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

static const struct {
	enum stp_privilege least;
	const char *what;
} reaches[PRIVILEGE_REACH_COUNT] = {
#define REACH(name, least, what) [PRIVILEGE_REACH_##name] = { PRIVILEGE_##least, what },
	STP_PRIVILEGE_REACHES(REACH)
#undef REACH
};

void checking_need_level(struct checking *ck, struct loc loc, enum stp_privilege least,
			 const char *what)
{
	enum stp_privilege level = ck->in.s->options->privilege;

	if (level < least)
		typing_error(&ck->in, loc, "%s is not for --privilege=%s", what,
			     privilege_names[level]);
}

enum stp_privilege_reach checking_reach_nothing(const struct node *n)
{
	(void)n;
	return PRIVILEGE_REACH_NOTHING;
}

static enum stp_privilege_reach reach_of_code(const struct function *f)
{
	if (f->pragmas & PRAGMA_MYPROC_UNPRIVILEGED)
		return PRIVILEGE_REACH_OWN_PROCESS;
	return f->pragmas & PRAGMA_UNPRIVILEGED ? PRIVILEGE_REACH_NOTHING : PRIVILEGE_REACH_PLAIN_C;
}

static int add_reach(struct node *n, void *ctx)
{
	enum stp_privilege_reach *most = ctx, of_one = node_ops[n->kind]->reach(n);

	if (of_one > *most)
		*most = of_one;
	return 0;
}

/* Functions may call each other: this ends when no function reaches more than before. */
void checking_mark(struct session *s)
{
	bool changed = true;

	while (changed) {
		changed = false;
		vec_each(&s->program->functions, i) {
			struct function *f = s->program->functions.data[i];
			enum stp_privilege_reach before = f->reach;

			if (f->code)
				f->reach = reach_of_code(f);
			else if (f->body)
				ast_walk(f->body, add_reach, NULL, &f->reach);
			changed |= f->reach != before;
		}
	}
}

static void check_reach(struct checking *ck, const struct node *n)
{
	enum stp_privilege_reach reach = node_ops[n->kind]->reach(n);
	const char *what = n->kind == NODE_CALL ? arena_printf(ck->in.s->arena, "'%s()'", n->name)
						: reaches[reach].what;

	if (n->type != TYPE_ERROR && !ck->is_in_library)
		checking_need_level(ck, n->loc, reaches[reach].least, what);
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
