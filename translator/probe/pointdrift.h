/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points that use names from older kernels: functions, tracepoints and source files that
 * now have other names, and modules that are now built in. probe.c calls this, for all
 * families, after their lookups have failed. The replacement of the old point is also a
 * point, which the families resolve like any other.
 *
 * Two checks are made at other times. A module's name is resolved before the lookup,
 * because kprobes accept any module name. Whether callers bypass a function is checked
 * after it has been found. Static markers, which no kernel has any more, are translated
 * by tracepoint.c. Names inside a point (members, parameters, types) drift where they are
 * looked up.
 */
#ifndef STAP_PROBE_POINTDRIFT_H
#define STAP_PROBE_POINTDRIFT_H

#include "probe/probe.h"

struct drift;

/* A point that may replace one with an old name. */
struct pointdrift {
	const struct point *point;
	enum {
		POINTDRIFT_FUNCTION,	/* the function's successor */
		POINTDRIFT_PROFILED,	/* the function that a macro wraps now */
		POINTDRIFT_MODULE,	/* the same function in a module */
		POINTDRIFT_SECOND_BEST, /* the function, as far as it is there */
		POINTDRIFT_FILE,	/* the place in the file's successor */
		POINTDRIFT_TRACEPOINT,	/* the tracepoint's successor */
	} kind;
	const char *old, *now; /* as messages show them */
	const struct drift *row;
	struct loc loc; /* of the old name */
};
typedef VEC(struct pointdrift) pointdrifts;

/*
 * True: a successor of the function is preferred to a second-best point, such as copies
 * without variables. If there turns out to be no successor, the point is resolved once
 * more, and then this is false.
 */
bool pointdrift_comes_first(struct session *s, const struct point *p, const char *function);

/*
 * Returns the point with its module's current name, or a point of the kernel if the
 * module is built in now. Reports that in a note.
 */
const struct point *pointdrift_module(struct session *s, const struct point *p);

/*
 * Lists possible replacements for a point that was not found; the first that exists is
 * used.
 */
void pointdrift_find(struct session *s, const struct point *p, pointdrifts *ret);
/* Reports the replacement; d: the first point found, or NULL. */
void pointdrift_say(struct session *s, const struct pointdrift *taken, const struct derived *d);
/* Returns the error with the old name's history, if there is one. */
struct error *pointdrift_story(struct session *s, const struct point *p, struct error *err);

/*
 * Lists functions through which callers may now bypass a function that exists and is
 * probed.
 */
void pointdrift_find_bypass(struct session *s, const struct point *p, pointdrifts *ret);
void pointdrift_say_bypassed(struct session *s, const struct pointdrift *by);

#endif
