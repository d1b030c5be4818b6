/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --status --json: one line with an object for each run. stap(1) describes the members.
 */
#ifndef STAP_WATCH_RUNJSON_H
#define STAP_WATCH_RUNJSON_H

#include <stdbool.h>

struct runs;
struct session;

/* in_full: with the books of each probe. */
void runjson_print(struct session *s, const struct runs *runs, bool in_full);

#endif
