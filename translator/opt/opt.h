/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Optimisations, one a file, one row each in opt.c. None changes the effect of a script;
 * -u disables them. The optimisations that run before types are known decide which names
 * need a type at all: a variable that is never read needs none.
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

void opt_untyped(struct session *s); /* names are bound, types are not known yet */
void opt_run(struct session *s);

bool opt_fold(struct session *s); /* fold.c: constants, dead branches */
bool opt_pure(struct session *s); /* pure.c: statements without effect */
/* pure.c, with a warning: statements without effect that the user wrote */
bool opt_idle(struct session *s);
bool opt_locals(struct session *s);	 /* locals.c: locals that nobody reads */
bool opt_assignments(struct session *s); /* locals.c, only plain assignments */
bool opt_probes(struct session *s);	 /* probes.c: probes with empty bodies */
bool opt_globals(struct session *s);	 /* unreached.c: globals that nobody uses */
/* unreached.c: functions that nobody calls, globals that nobody uses */
bool opt_unused(struct session *s);

#endif
