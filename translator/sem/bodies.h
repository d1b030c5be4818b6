/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code that runs at a point: the probe's body, and before and after it the parts that
 * the aliases add.
 *
 *   probe a = b { A }      probe b = kernel.function("f") { B }      probe a { user }
 *   ->  kernel.function("f") { B  A  user }
 */
#ifndef STAP_SEM_BODIES_H
#define STAP_SEM_BODIES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/hashmap.h"
#include "probe/probe.h"

/* The additions of the aliases that lead to a point. */
struct chain {
	const struct chain *outer;
	const struct alias *alias;     /* NULL: the user's probe */
	const struct point *condition; /* point with a condition, or NULL */
	const char *derivation; /* for -p2: "end  <- mine = end  <- mine"; NULL in other passes */
	unsigned depth;
};

struct derivation {
	struct session *s;
	const struct probe *probe;
	/*
	 * the handler of a body without aliases or target variables: one for all points
	 */
	struct handler *shared;
	/*
	 * handlers whose bodies have parts of aliases, by their text: equal bodies at
	 * many points are one handler
	 */
	struct hashmap bodies;
	unsigned uses; /* uses of aliases, which can double from one to the next */
	bool gave_up;  /* an endless expansion is reported once */
	/* the current point is a pattern: places that lack a variable are left out */
	bool is_wild;
	bool is_optional; /* the current point has a question mark in the script */
	size_t lacking, served;
	const struct derived *first_lacking;
};

/*
 * Gives bodies to all points that were derived from one point of the script. Target
 * variables differ at each point, so bodies that use them are copied.
 */
void bodies_give(struct derivation *dv, derived_list *list, const struct chain *chain,
		 const char *pn);
/* Adds one more handler to the program. */
struct handler *bodies_new_handler(struct derivation *dv, struct node *body);

#endif
