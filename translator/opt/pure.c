/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expression statements whose expression does nothing and cannot fail become empty; empty statements leave their
 * blocks.
 */
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "opt/opt.h"

static int drop_pure(struct node *n, void *ctx)
{
	bool *changed = ctx;

	if (n->kind == NODE_EXPR && !ast_has_effects(n->operand)) {
		n->kind = NODE_EMPTY;
		n->operand = NULL;
		*changed = true;
	}
	if (n->kind != NODE_BLOCK)
		return 0;
	for (struct node **at = &n->list; *at;) {
		if ((*at)->kind == NODE_EMPTY) {
			*at = (*at)->next;
			*changed = true;
		} else {
			at = &(*at)->next;
		}
	}
	return 0;
}

bool opt_pure(struct session *s)
{
	struct program *p = s->program;
	bool changed = false;

	vec_each(&p->handlers, i)
		ast_walk(p->handlers.data[i]->body, NULL, drop_pure, &changed);
	vec_each(&p->functions, i) {
		if (p->functions.data[i]->body)
			ast_walk(p->functions.data[i]->body, NULL, drop_pure, &changed);
	}
	return changed;
}
