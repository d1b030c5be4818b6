/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A moment of a trace, as users write it. */
#ifndef TRACE_WHEN_H
#define TRACE_WHEN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct when {
	enum { WHEN_SINCE_START, WHEN_OF_EPOCH, WHEN_OF_DAY, WHEN_OF_DATE } kind;
	uint64_t ns;   /* since the start, or the epoch, or a part of a second */
	struct tm day; /* of the other kinds, local time */
};

/*
 * Parses "SECONDS" since the start of the run, "@SECONDS" since the epoch, "HH:MM:SS",
 * "YYYY-MM-DD HH:MM:SS", all with parts of a second. Returns NULL, or what is wrong.
 */
const char *when_parse(const char *text, struct when *ret);
/*
 * Returns the time of the trace, given one moment in it as realtime and as monotonic:
 * that of its start. The time of a day is the first one from the start on.
 */
uint64_t when_time(const struct when *w, uint64_t realtime, uint64_t monotonic);

#endif
