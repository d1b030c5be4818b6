/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each construct means. A construct keeps its stages together in one file: struct node_ops of inference, folding and
 * emission. lang/table.c has the row for each kind of ast/kinds.def. An absent op means: visit the children.
 */
#ifndef STAP_LANG_H
#define STAP_LANG_H

#include <stdbool.h>

#include "ast/node.h"
#include "ast/program.h"

struct session;
struct emitter; /* emit/emit.h */

/* What inference works in. */
struct infer {
	struct session *s;
	struct function *function; /* NULL in a probe */
	struct handler *handler;   /* NULL in a function */
	bool backwards;            /* functions are visited last to first in this round */
	bool settled;              /* a @defined became a number: there may be branches to drop */
	bool changed;              /* set when any type became known: the driver goes round again */
	struct loc because;        /* where the type wanted at hand comes from, or no place */
	const char *because_what;
	const struct node *because_for; /* the node that is wanted so; not those below it */
	const char *hint;          /* what to write where hint_for has another type than is wanted, or NULL */
	const struct node *hint_for;
	struct hashmap *unassigned; /* places whose variables are reported as never assigned */
	struct hashmap *reported;  /* messages given, by place: one body may be seen once for each probe point */
	bool guess;                /* nothing more can be known: functions take the type that calls want */
	bool final;                /* last round: report what is still unknown */
};

struct node_ops {
	/* Sets n->type, given what the context wants (TYPE_UNKNOWN: anything). Reports mismatches. */
	void (*infer)(struct infer *in, struct node *n, enum type wanted);
	/* Replaces n in place by something simpler (constants); true when it did. */
	bool (*fold)(struct session *s, struct node *n);
	/* Expressions: emits the statements that compute n, returns the C operand that then holds the value
	 * ("t3", "l_x", "INT64_C(5)"; strings: an expression of type struct stp_str). Statements: emits them, returns NULL. */
	const char *(*emit)(struct emitter *e, struct node *n);
};

extern const struct node_ops *const lang_ops[NODE_KIND_COUNT];

void lang_infer(struct infer *in, struct node *n, enum type wanted);
bool lang_fold(struct session *s, struct node *n); /* n and all below, to a fixed point */
/* Only ?: with a constant condition: what is not chosen needs no type that fits. */
void lang_fold_choices(struct session *s, struct node *n);

#endif
