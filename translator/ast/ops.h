/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All operations on a construct: uses, effects, printing, inference, folding, checks and
 * emission. lang/ implements them, one struct for each kind of ast/kinds.def.
 * lang/table.c does not compile if one is missing. Every kind has the first four:
 * LANG_OPS of lang/ops.h requires them. An absent operation means: visit the children.
 */
#ifndef STAP_AST_OPS_H
#define STAP_AST_OPS_H

#include <stdbool.h>

#include "ast/node.h"
#include "uapi/privilege.h"

struct session;
struct strbuf;
struct uses;	 /* lang/uses.h */
struct infer;	 /* lang/lang.h */
struct checking; /* lang/checking.h */
struct emitter;	 /* emit/emit.h */

/* The side effect of a node, without the nodes below it. */
enum effect {
	EFFECT_NONE,
	EFFECT_OWN,	/* changes a variable of the body, which is visible only there */
	EFFECT_OUTSIDE, /* prints, changes a global, runs C that is not `pure` … */
};

struct node_ops {
	/*
	 * Reports each use of a variable at n and below. wanted: the value of n is used.
	 * Locks and unread variables are computed from this.
	 */
	void (*uses)(struct uses *u, struct node *n, bool wanted);
	/* Statements and expressions without effect are removed. */
	enum effect (*effect)(const struct node *n);
	/*
	 * Prints n as script text that parses to the same tree. Statements: with a
	 * newline; the first line is already indented by `depth`.
	 */
	void (*print)(struct strbuf *out, const struct node *n, unsigned depth);
	/*
	 * Returns the reach of n itself, without the nodes below it; types are known.
	 * This decides the privilege level that the script needs: uapi/privilege.h.
	 */
	enum stp_privilege_reach (*reach)(const struct node *n);
	/*
	 * Sets n->type, given the type that the context requires (TYPE_UNKNOWN: any).
	 * Reports mismatches.
	 */
	void (*infer)(struct infer *in, struct node *n, enum type wanted);
	/*
	 * Replaces n in place by something simpler (constants). Returns true if it did.
	 */
	bool (*fold)(struct session *s, struct node *n);
	/*
	 * Expressions: emits the statements that compute n, returns the C operand that
	 * then holds the value ("t3", "l_x", "INT64_C(5)"; strings: an expression of type
	 * struct stp_str). Statements: emits them, returns NULL.
	 */
	const char *(*emit)(struct emitter *e, struct node *n);
	/* Reports n if it is not allowed at its place, after types are known. */
	void (*check)(struct checking *ck, struct node *n);
	/* For places: reports a change of n at loc if n may not be changed. */
	void (*check_change)(struct checking *ck, const struct node *n, struct loc loc);
	/*
	 * True: n only computes a value from its operands, and evaluates all of them. If
	 * the value is not used, the operands replace n. Absent: false.
	 */
	bool (*only_computes)(const struct node *n);
	/*
	 * Statements: true if their body is empty. *left becomes the expression that must
	 * still be evaluated, or NULL. is_written: the script has it this way. Absent:
	 * false.
	 */
	bool (*is_idle)(const struct node *n, bool is_written, struct node **left);
	bool is_operation; /* made of operators: it needs parentheses inside another one */
};

extern const struct node_ops *const node_ops[NODE_KIND_COUNT]; /* by kind */

#endif
