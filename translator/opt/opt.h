/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Optimisations of the typed tree, one a file, one row each in opt.c. None changes what a script does; -u leaves them out.
 *
 * To add one: a file with its run function, a declaration below, a row.
 */
#ifndef STAP_OPT_H
#define STAP_OPT_H

#include <stdbool.h>

struct session;

struct optimisation {
	const char *name;
	bool (*run)(struct session *s); /* true when something changed: all run again */
};

void opt_run(struct session *s);

bool opt_fold(struct session *s);    /* fold.c: constants, dead branches */
bool opt_pure(struct session *s);    /* pure.c: statements without effect */
bool opt_locals(struct session *s);  /* locals.c: locals that nobody reads */
bool opt_unused(struct session *s);  /* unused.c: functions that nobody calls, globals that nobody uses */

#endif
