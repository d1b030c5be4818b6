/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stages of a construct: inference, folding and emission. lang/ implements them, one
 * struct for each kind of ast/kinds.def; lang/table.c refuses to compile when one is
 * missing. An absent op means: visit the children.
 */
#ifndef STAP_AST_OPS_H
#define STAP_AST_OPS_H

#include <stdbool.h>

#include "ast/node.h"

struct session;
struct infer;   /* lang/lang.h */
struct emitter; /* emit/emit.h */

struct node_ops {
	/*
	 * Sets n->type, given what the context wants
	 * (TYPE_UNKNOWN: anything). Reports mismatches.
	 */
	void (*infer)(struct infer *in, struct node *n, enum type wanted);
	/*
	 * Replaces n in place by something simpler (constants); returns true when it did.
	 */
	bool (*fold)(struct session *s, struct node *n);
	/*
	 * Expressions: emits the statements that compute n, returns the C operand that
	 * then holds the value ("t3", "l_x", "INT64_C(5)"; strings: an expression of type
	 * struct stp_str). Statements: emits them, returns NULL.
	 */
	const char *(*emit)(struct emitter *e, struct node *n);
};

extern const struct node_ops *const node_ops[NODE_KIND_COUNT]; /* by kind */

#endif
