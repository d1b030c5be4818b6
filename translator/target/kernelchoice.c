/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "target/kernelchoice.h"

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/decisions.h"
#include "base/options.h"
#include "base/session.h"

struct looking {
	struct session *s;
	access_fields asked;
	bool is_fixed; /* it cannot be left to the running kernel */
};

static int collect(struct node *n, void *ctx)
{
	struct looking *l = ctx;
	const struct access *a = n->kind == NODE_TARGET ? n->access : NULL;

	l->is_fixed |= node_unresolved(n) || node_has_drifted(n) || node_is_open(n) ||
		       n->kind == NODE_ATOP || (a && (a->bound || a->user));
	for (size_t i = 0; a && i < a->steps.count; i++)
		if (a->steps.data[i].field && a->steps.data[i].field->kind == FIELD_MEMBER)
			vec_push(l->s->arena, &l->asked, a->steps.data[i].field);
	return 0;
}

/* Values saved at the entry would be read whatever is decided. */
static int find_fixed(struct node *n, void *ctx)
{
	bool *ret = ctx;

	*ret |= n->kind == NODE_ENTRY || node_unresolved(n) != NULL;
	return 0;
}

static bool is_fixed(struct node *branch)
{
	bool ret = false;

	if (branch)
		ast_walk(branch, find_fixed, NULL, &ret);
	return ret;
}

static const struct access_field *may_lack(struct session *s, const struct access_field *field)
{
	struct access_field *ret;

	if (!field || field->kind != FIELD_MEMBER)
		return field;
	ret = arena_new(s->arena, struct access_field);
	*ret = *field;
	ret->may_lack = true;
	return ret;
}

/* The branch may name members of members that the kernel lacks. */
static int loosen(struct node *n, void *ctx)
{
	struct session *s = ctx;
	struct access *a = n->kind == NODE_TARGET ? n->access : NULL;

	for (size_t i = 0; a && i < a->steps.count; i++) {
		a->steps.data[i].field = may_lack(s, a->steps.data[i].field);
		a->steps.data[i].since = may_lack(s, a->steps.data[i].since);
	}
	if (a)
		a->reached = may_lack(s, a->reached);
	return 0;
}

/* Replaces @defined with a question that the program answers. */
static void ask(struct session *s, struct node *n, const struct looking *l)
{
	struct access *a = arena_new(s->arena, struct access);
	struct node old = *n;

	*a = (struct access){ .base = ACCESS_ADDRESS, .c_type = "int" };
	vec_each(&l->asked, i)
		vec_push(s->arena, &a->asked, may_lack(s, l->asked.data[i]));
	*n = (struct node){ .kind = NODE_TARGET,
			    .target = TARGET_VAR,
			    .target_name = "@defined",
			    .access = a,
			    .loc = old.loc,
			    .op_loc = old.op_loc,
			    .next = old.next };
}

void kernelchoice_defer(struct session *s, struct node *n)
{
	bool is_branch = n->kind == NODE_IF || n->kind == NODE_TERNARY;
	struct node *defined = is_branch && n->cond->kind == NODE_DEFINED ? n->cond : NULL;
	struct looking l = { .s = s };

	if (!defined || !s->options || s->options->runtime != RUNTIME_BPF)
		return;
	ast_walk(defined->operand, collect, NULL, &l);
	if (l.is_fixed || !l.asked.count || is_fixed(n->then) || is_fixed(n->els))
		return;
	ast_walk(n->then, loosen, NULL, s);
	ask(s, defined, &l);
}
