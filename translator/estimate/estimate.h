/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap --estimate: the instructions that a hit of each probe will take, without the
 * reader's. The elaborated and optimised handlers are walked: costs.def has the cost of
 * each point, construct and library function on kernel 6.1. Branches give a range from
 * the cheapest to the most expensive path. Loops are not part of it; the cost of one turn
 * is shown separately.
 *
 * To add a cost: a row in costs.def; its walker in pathcost.c, if it is a construct.
 */
#ifndef STAP_ESTIMATE_H
#define STAP_ESTIMATE_H

#include <stdint.h>
#include <stdio.h>

#include "ast/program.h"

struct session;

/* A part of the most expensive path. */
struct estimate_share {
	const char *what;
	int64_t amount;
};
typedef VEC(struct estimate_share) estimate_shares;

/* A loop, and the cost of one turn of it. */
struct estimate_loop {
	struct loc loc;
	const char *what; /* "foreach" */
	int64_t low, high;
	bool is_sort; /* … of an element of the array, to sort it */
};
typedef VEC(struct estimate_loop) estimate_loops;

struct estimate {
	int64_t low, high;
	estimate_shares shares; /* the most expensive first */
	estimate_loops loops;
	bool prints;
	bool recurses;
	VEC(const char *) unknown; /* functions of the library that costs.def lacks */
};

/* Instructions that stapio needs to turn an event into text. */
extern const int estimate_reader;

/* The number of locks that a hit takes, of globals and of single elements. */
struct estimate_locks {
	unsigned globals, elements;
};

/* pathcost.c: estimates a hit of the point. */
void estimate_point(struct session *s, const struct derived *d, const struct estimate_locks *locks,
		    struct estimate *ret);

/* costs.c: the cost of the point by its row; *what is the row's text. */
int64_t estimate_point_cost(struct session *s, const struct derived *d, const char **what);
/* costs.c: the cost of a call of that function of the library; -1: it has no row. */
int64_t estimate_called(const char *name);

/* Forms: a paragraph for each point as it is written; one object per line. */
enum estimate_form { ESTIMATE_TEXT, ESTIMATE_JSON };
/* Writes the estimates of all probes of the script. */
void estimate_show(struct session *s, enum estimate_form form, FILE *to);

#endif
