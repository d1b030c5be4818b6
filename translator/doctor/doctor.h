/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap --doctor: what this machine has of what stap needs, and what supplies the rest. */
#ifndef STAP_DOCTOR_H
#define STAP_DOCTOR_H

#include <stddef.h>

struct error;
struct session;

/*
 * Prints a line for each check. Returns 0, or 3 when something is missing that runs need.
 */
int doctor_run(struct session *s);

/* Prints the command that installs a thing of remedy.def, if there is one. */
struct error *doctor_tell(struct session *s, const char *thing);

/*
 * The finding of a check. MISSING: scripts will not run; WITHOUT: something is not to be
 * had that not all scripts need.
 */
enum doctor_state { DOCTOR_OK, DOCTOR_WITHOUT, DOCTOR_MISSING, DOCTOR_STATES };
struct doctor_finding {
	enum doctor_state state;
	const char *text;
	const char *remedy; /* command or words that help; NULL: none, or none is needed */
};

/* The checks, in order: checks.c. s->kernel is NULL where no headers are there. */
struct doctor_check {
	const char *subject;
	void (*look)(struct session *s, struct doctor_finding *ret);
};
extern const struct doctor_check doctor_checks[];
extern const size_t doctor_check_count;

#endif
