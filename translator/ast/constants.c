/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/constants.h"

#include "ast/ast.h"
#include "ast/ops.h"

struct fold {
	struct session *s;
	bool changed, any;
};

static int fold_node(struct node *n, void *ctx)
{
	struct fold *f = ctx;

	if (node_ops[n->kind]->fold && node_ops[n->kind]->fold(f->s, n))
		f->changed = f->any = true;
	return 0;
}

bool constants_fold(struct session *s, struct node *n)
{
	struct fold f = { .s = s };

	do {
		f.changed = false;
		ast_walk(n, NULL, fold_node, &f);
	} while (f.changed);
	return f.any;
}

static int fold_choice(struct node *n, void *ctx)
{
	if (n->kind == NODE_TERNARY) {
		constants_fold(ctx, n->cond);
		node_ops[NODE_TERNARY]->fold(ctx, n);
	}
	return 0;
}

void constants_fold_choices(struct session *s, struct node *n)
{
	ast_walk(n, NULL, fold_choice, s);
}
