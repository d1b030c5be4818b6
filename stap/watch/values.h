/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the values of a run's globals, in lines of uapi/globals.h, into readable lines.
 */
#ifndef STAP_WATCH_VALUES_H
#define STAP_WATCH_VALUES_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct session;

/*
 * Adds a line for each value to the run: `n 5`, `count["cat",7] 12`; for an aggregate its
 * count, sum and so on. Histograms are skipped.
 */
void values_read(struct session *s, struct run *r, const char *text, size_t len);
/* True: the line of values_read() is about the global. */
bool values_is_of(const char *line, const char *name);

#endif
