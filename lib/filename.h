/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of output files with conversions: %h is the name of the host, %m the module's, %c
 * the CPU of a raw file, %% a percent sign. All others are those of strftime(3). Its own
 * %h and %m are hidden: write %b for its %h, and %Om for its %m.
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
	 * or FILENAME_SLOW, the ring of probes that may sleep; -1: the file is not of one
	 * CPU
	 */
	int cpu;
};

/* Sets the host to the one that a trace names. A '/' in it becomes '_'. */
void filename_set_host(struct filename *f, const char *host);
/* Checks a pattern. cpu: %c is allowed. Returns NULL, or the reason for the refusal. */
const char *filename_check(const char *pattern, bool cpu);
/*
 * True: the pattern looks like a date in which %m, the name of the module, is meant as
 * the month.
 */
bool filename_looks_like_date(const char *pattern);
bool filename_has_cpu(const char *pattern);
bool filename_has_host(const char *pattern);
/* Writes the name for that time. Returns 0 or -ENAMETOOLONG. */
int filename_expand(const struct filename *f, time_t when, char ret[PATH_MAX]);

#endif
