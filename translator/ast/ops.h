/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that is known of a construct: what it uses, does and prints as, inference, folding,
 * checks and emission. lang/ implements them, one struct for each kind of ast/kinds.def;
 * lang/table.c refuses to compile when one is missing. The first four are there for
 * every kind: LANG_OPS of lang/ops.h takes no row without them. An absent op means: visit
 * the children.
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

/* The effect of a node beside its value, without the nodes below it. */
enum effect {
	EFFECT_NONE,
	EFFECT_OWN,	/* changes a variable of the body, which nobody else sees */
	EFFECT_OUTSIDE, /* prints, changes a global, runs C that is not `pure` … */
};

struct node_ops {
	/*
	 * Tells each use of a variable at n and below. wanted: somebody takes the value
	 * of n. Locks, and variables that are never read, follow from it.
	 */
	void (*uses)(struct uses *u, struct node *n, bool wanted);
	/* Statements and expressions without effect are left out. */
	enum effect (*effect)(const struct node *n);
	/*
	 * Prints n as script text that parses to the same tree. Statements: with the end
	 * of the line; the first line is indented already, by `depth`.
	 */
	void (*print)(struct strbuf *out, const struct node *n, unsigned depth);
	/*
	 * Returns what n reaches, without the nodes below it; types are known. Whoever
	 * runs the script needs the level of that: uapi/privilege.h.
	 */
	enum stp_privilege_reach (*reach)(const struct node *n);
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
	/* Refuses what may not stand where n stands, after types are known. */
	void (*check)(struct checking *ck, struct node *n);
	/* Places: refuses a change of n at loc, where n may not be changed. */
	void (*check_change)(struct checking *ck, const struct node *n, struct loc loc);
	/*
	 * True: n computes a value of its operands, and evaluates all of them: where
	 * nobody takes the value, the operands stand for n. Absent: false.
	 */
	bool (*only_computes)(const struct node *n);
	/*
	 * Statements: true when they are around nothing; *left becomes the expression
	 * that is evaluated all the same, or NULL. is_written: the script has it so.
	 * Absent: false.
	 */
	bool (*is_idle)(const struct node *n, bool is_written, struct node **left);
	bool is_operation; /* made of operators: stands in parentheses inside another one */
};

extern const struct node_ops *const node_ops[NODE_KIND_COUNT]; /* by kind */

#endif
