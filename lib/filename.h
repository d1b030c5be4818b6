/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of output files with conversions: %h the host's name, %m the module's, %c the CPU
 * of a raw file, %% a percent sign, and all of strftime(3), whose own %h and %m are
 * hidden (%b is the same as its %h, %Om its %m).
 */
#ifndef LIB_FILENAME_H
#define LIB_FILENAME_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

#define FILENAME_SLOW INT_MAX

struct filename {
	const char *pattern;
	const char *module;
	char host[HOST_NAME_MAX + 1];
	/*
	 * or FILENAME_SLOW: the ring of the probes
	 * that may sleep; -1: not a file of one CPU
	 */
	int cpu;
};

/* Sets the host to one that a trace names; a '/' in it becomes '_'. */
void filename_set_host(struct filename *f, const char *host);
/* Checks a pattern; cpu: %c is allowed. Returns NULL, or what is wrong. */
const char *filename_check(const char *pattern, bool cpu);
/*
 * True: the pattern is a date with %m, the name of the module, where the month is meant.
 */
bool filename_looks_like_date(const char *pattern);
bool filename_has_cpu(const char *pattern);
bool filename_has_host(const char *pattern);
/* Writes the name for that time. Returns 0 or -ENAMETOOLONG. */
int filename_expand(const struct filename *f, time_t when, char ret[PATH_MAX]);

#endif
