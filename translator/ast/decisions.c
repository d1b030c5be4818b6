/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/decisions.h"

#include "ast/ast.h"
#include "base/options.h"
#include "base/session.h"

void decisions_add(struct session *s, const struct access_field *field, struct loc loc)
{
	if (!s->options || s->options->runtime != RUNTIME_BPF)
		return;
	if (!s->decisions)
		s->decisions = arena_new(s->arena, decision_list);
	vec_push(s->arena, (decision_list *)s->decisions, ((struct decision){ *field, loc }));
}

const decision_list *decisions_all(const struct session *s)
{
	return s->decisions;
}

struct question {
	struct session *s;
	bool is_defined;
};

/* All that a value needs of the kernel's types. */
static void add_present(struct session *s, const struct node *n)
{
	const struct access *a = n->access;

	if (a->origin)
		decisions_add(s, a->origin, n->loc);
	if (a->bound)
		decisions_add(s, a->bound, n->loc);
	vec_each(&a->steps, i)
		if (a->steps.data[i].field)
			decisions_add(s, a->steps.data[i].field, n->loc);
}

/*
 * Returns what is absent; NULL: something that kernels do not differ in, as a variable of
 * a program, or $return at an entry.
 */
static const struct access_field *absent(const struct node *n)
{
	static const struct access_field unknown = {
		.kind = FIELD_KERNEL,
		.type = "",
		.path = "",
		.is = "@defined has asked what no other kernel can tell",
	};

	if (n->kind == NODE_TARGET && n->access && n->access->absent)
		return n->access->absent;
	if (n->kind == NODE_TARGET && (n->target != TARGET_CAST || (n->access && n->access->user)))
		return NULL;
	return &unknown;
}

static int add_operand(struct node *n, void *ctx)
{
	struct question *q = ctx;
	const struct access *a = n->access;

	if (n->kind == NODE_TARGET && q->is_defined && a && !node_unresolved(n))
		add_present(q->s, n);
	if (!q->is_defined && (node_unresolved(n) || node_has_drifted(n)) && absent(n))
		decisions_add(q->s, absent(n), n->loc);
	return 0;
}

void decisions_defined(struct session *s, struct node *operand, bool is_defined)
{
	struct question q = { s, is_defined };

	if (s->options && s->options->runtime == RUNTIME_BPF)
		ast_walk(operand, add_operand, NULL, &q);
}
