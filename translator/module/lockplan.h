/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans which probe locks which globals, and how. */
#ifndef STAP_MODULE_LOCKPLAN_H
#define STAP_MODULE_LOCKPLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/vec.h"

struct handler;
struct node;
struct program;
struct session;

/* A handler uses one element of an array, and takes the lock of this element itself. */
struct lock_element {
	const struct handler *handler;
	size_t global;
	struct node *keys; /* expressions to be computed before */
};

struct lockplan {
	unsigned char **uses; /* by probe and global: enum use of all globals that share the lock */
	unsigned char *any;   /* by global: uses of all probes */
	/*
	 * by global: 1 + the bit of the probes that only add to the array; 0: not needed
	 */
	unsigned char *adders;
	bool *sets;			   /* by global: these probes set one element */
	bool *shards;			   /* by global: elements have locks of their own */
	VEC(struct lock_element) elements; /* in the order of the globals */
	unsigned char *sorts;		   /* by global: sorted loops over the array */
	size_t *first; /* by global: the first one that shares its lock; itself */
};

/* Plans the locks of the session's program; the plan lives as long as the session. */
void lockplan_make(struct lockplan *plan, struct session *s);
/* True: probes that read or write the global lock it. */
bool lockplan_has(const struct lockplan *plan, size_t global);
/* True: the probe takes the lock of the global and of those that share it. */
bool lockplan_takes(const struct lockplan *plan, size_t probe, size_t global);
/* Returns the use of an array by the probes that share its lock: USE_ADD or USE_SET. */
unsigned lockplan_shared_use(const struct lockplan *plan, size_t global);
/* Return the numbers of locks that the probe takes, and its handler: of elements. */
unsigned lockplan_count(const struct lockplan *plan, const struct program *p, size_t probe);
unsigned lockplan_elements(const struct lockplan *plan, const struct program *p, size_t probe);

#endif
