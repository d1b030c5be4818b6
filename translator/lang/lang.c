/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inference visits nodes by their ops; the file also has callbacks that several
 * constructs share.
 */
#include "lang/lang.h"

#include "lang/ops.h"

/* Infers the children of a node without the op; any type is allowed. */
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
	if (node_ops[n->kind]->infer)
		node_ops[n->kind]->infer(in, n, wanted);
	else
		infer_children(in, n);
}

bool lang_computes(const struct node *n)
{
	return true;
}

bool lang_is_nothing(const struct node *n)
{
	return !n || n->kind == NODE_EMPTY || (n->kind == NODE_BLOCK && !n->list);
}
