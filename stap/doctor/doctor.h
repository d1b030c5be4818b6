/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap --doctor: checks whether this machine has everything that stap needs, and reports
 * how to supply the rest.
 */
#ifndef STAP_DOCTOR_DOCTOR_H
#define STAP_DOCTOR_DOCTOR_H

#include <stddef.h>

struct error;
struct session;

/*
 * The result of a check. MISSING: scripts will not run; WITHOUT: something is not
 * available that only some scripts need.
 */
enum doctor_state { DOCTOR_OK, DOCTOR_WITHOUT, DOCTOR_MISSING, DOCTOR_STATES };
struct doctor_finding {
	enum doctor_state state;
	const char *text;
	const char *remedy; /* command or advice; NULL: there is none, or none is needed */
};

/* Prints a finding, with its state. */
typedef void (*doctor_print)(const struct session *s, const char *subject,
			     const struct doctor_finding *f);
/*
 * Prints which features were built in and which were not, features.c. None is MISSING:
 * scripts run without them.
 */
void doctor_each_feature(struct session *s, doctor_print print);

/*
 * The checks, in order: checks.c. s->kernel is NULL if there are no headers. With
 * options->vm it is the kernel of a guest.
 */
struct doctor_check {
	const char *subject;
	void (*look)(struct session *s, struct doctor_finding *ret);
};
extern const struct doctor_check doctor_checks[];
extern const size_t doctor_check_count;

/*
 * Returns the reason why the running kernel accepts no modules from anybody; NULL: it
 * does.
 */
const char *doctor_refusal(struct session *s);

#endif
