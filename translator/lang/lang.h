/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meaning of each construct: its stages (ast/ops.h) are together in one file. */
#ifndef STAP_LANG_H
#define STAP_LANG_H

#include <stdbool.h>

#include "ast/ops.h"
#include "ast/program.h"

struct session;

/* The state of inference. */
struct infer {
	struct session *s;
	struct function *function; /* NULL in a probe */
	struct handler *handler;   /* NULL in a function */
	bool backwards;		   /* functions are visited last to first in this round */
	bool settled;		   /* a @defined became a number: there may be branches to drop */
	bool changed;		   /* set if a type became known: another round follows */
	struct loc because;	   /* place from which the required type comes, or no place */
	const char *because_what;
	/* the node for which it is required, without the nodes below it */
	const struct node *because_for;
	/* advice for when hint_for has another type than is wanted, or NULL */
	const char *hint;
	const struct node *hint_for;
	struct hashmap *unassigned; /* places whose variables are reported as never assigned */
	/* messages given, by place: a body may be visited once for each probe point */
	struct hashmap *reported;
	/* nothing more can be inferred: functions get the type that calls require */
	bool guess;
	bool final;  /* last round: report what is still unknown */
	bool silent; /* the code is removed: it only gives types, no messages */
};

void lang_infer(struct infer *in, struct node *n, enum type wanted);

/* An only_computes callback that is always true. */
bool lang_computes(const struct node *n);
/* True: there is no statement, or it does nothing. */
bool lang_is_nothing(const struct node *n);

#endif
