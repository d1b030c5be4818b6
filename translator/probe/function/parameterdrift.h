/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of functions, tracepoints and system calls in older kernels. Used if the
 * point has no parameter with the name.
 */
#ifndef STAP_PROBE_FUNCTION_PARAMETERDRIFT_H
#define STAP_PROBE_FUNCTION_PARAMETERDRIFT_H

#include "ast/access.h"
#include "ast/node.h"

struct drift;
struct error;
struct session;
struct successor;

/* A variable that is searched among a point's present parameters. */
struct parameterdrift {
	struct session *s;
	const char *key;     /* in the rows: "vfs_read", "trace:sched_switch", "sys_lseek" */
	const char *subject; /* in messages: "'vfs_read'", "tracepoint 'sched_switch'" */
	bool own_only;	     /* rows about parameters of any function do not count */
	const struct node *n;
	struct access *a;
	/*
	 * Follows the path from the parameter `name` into d->a. False: there is no such
	 * parameter, or the path leads nowhere; then it may leave d->hindered.
	 */
	bool (*follow)(struct parameterdrift *d, const char *name, const path_steps *path,
		       bool address_of);
	const void *point;	/* the family's */
	struct error *hindered; /* stopped the path of a parameter that is there; or NULL */
};

/* True: the variable can be reached from a present parameter. */
bool parameterdrift_find(struct parameterdrift *d);
/* The same by one row. */
bool parameterdrift_find_by(struct parameterdrift *d, const struct drift *row);
/* The same by one successor, without messages. */
bool parameterdrift_take(struct parameterdrift *d, const struct successor *now);
/*
 * True: the parameter exists, but its name now means something else;
 * parameterdrift_find() finds its former meaning.
 */
bool parameterdrift_is_another(const struct parameterdrift *d);
/* Returns the error with the parameter's history, or NULL. */
struct error *parameterdrift_story(const struct parameterdrift *d);

#endif
