/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drivers of the ops: inference visits as the ops direct, folding works bottom-up until nothing changes. */
#include "lang/lang.h"

#include "ast/ast.h"
#include "base/session.h"
#include "lang/ops.h"

/* An absent op: the children, with anything allowed. */
static void infer_children(struct infer *in, struct node *n)
{
	for (unsigned i = 0; i < 4; i++) {
		if (n->kid[i])
			lang_infer(in, n->kid[i], TYPE_UNKNOWN);
	}
	for (struct node *item = n->list; item; item = item->next)
		lang_infer(in, item, TYPE_UNKNOWN);
}

void lang_infer(struct infer *in, struct node *n, enum type wanted)
{
	if (lang_ops[n->kind]->infer)
		lang_ops[n->kind]->infer(in, n, wanted);
	else
		infer_children(in, n);
}

struct fold {
	struct session *s;
	bool changed, any;
};

static int fold_node(struct node *n, void *ctx)
{
	struct fold *f = ctx;

	if (lang_ops[n->kind]->fold && lang_ops[n->kind]->fold(f->s, n))
		f->changed = f->any = true;
	return 0;
}

bool lang_fold(struct session *s, struct node *n)
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
		lang_fold(ctx, n->cond);
		lang_ternary_ops.fold(ctx, n);
	}
	return 0;
}

void lang_fold_choices(struct session *s, struct node *n)
{
	ast_walk(n, NULL, fold_choice, s);
}
