/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A point in time of a trace, as users write it. */
#ifndef TRACE_MOMENT_H
#define TRACE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct moment {
	enum { MOMENT_SINCE_START, MOMENT_OF_EPOCH, MOMENT_OF_DAY, MOMENT_OF_DATE } kind;
	uint64_t ns;   /* since the start, or the epoch, or a part of a second */
	struct tm day; /* for the other kinds, in local time */
};

/*
 * Parses "SECONDS" since the start of the run, "@SECONDS" since the epoch, "HH:MM:SS",
 * "YYYY-MM-DD HH:MM:SS", all with fractions of a second. Returns NULL or an error text.
 */
const char *moment_parse(const char *text, struct moment *ret);
/*
 * Returns the moment as a time of the trace, whose start is given as realtime and as
 * monotonic time. A time of day means the first such time after the start.
 */
uint64_t moment_time(const struct moment *w, uint64_t realtime, uint64_t monotonic);

#endif
