/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A moment of a trace, as users write it. */
#ifndef TRACE_MOMENT_H
#define TRACE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct moment {
	enum { MOMENT_SINCE_START, MOMENT_OF_EPOCH, MOMENT_OF_DAY, MOMENT_OF_DATE } kind;
	uint64_t ns;   /* since the start, or the epoch, or a part of a second */
	struct tm day; /* of the other kinds, local time */
};

/*
 * Parses "SECONDS" since the start of the run, "@SECONDS" since the epoch, "HH:MM:SS",
 * "YYYY-MM-DD HH:MM:SS", all with parts of a second. Returns NULL, or what is wrong.
 */
const char *moment_parse(const char *text, struct moment *ret);
/*
 * Returns the time of the trace, given one moment in it as realtime and as monotonic:
 * that of its start. The time of a day is the first one from the start on.
 */
uint64_t moment_time(const struct moment *w, uint64_t realtime, uint64_t monotonic);

#endif
