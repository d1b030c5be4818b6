/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the last lines that a script has printed. Older lines are dropped and counted. A
 * line longer than OUTPUTLINES_LONGEST is split into several. Not thread-safe.
 */
#ifndef EXPORTER_OUTPUTLINES_H
#define EXPORTER_OUTPUTLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUTLINES_MOST    10000
#define OUTPUTLINES_LONGEST 16384

struct outputlines {
	char *lines[OUTPUTLINES_MOST]; /* the line of number n at n % OUTPUTLINES_MOST */
	uint64_t count;		       /* of all lines; their numbers begin with 0 */
	char rest[OUTPUTLINES_LONGEST];
	size_t rest_len; /* of a line whose end has not come */
};

void outputlines_add(struct outputlines *o, const char *s, size_t len);
/* Ends the unfinished line. */
void outputlines_end(struct outputlines *o);
/* Returns the number of the oldest line that is still kept. */
uint64_t outputlines_first(const struct outputlines *o);
const char *outputlines_get(const struct outputlines *o, uint64_t n);

#endif
