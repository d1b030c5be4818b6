/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -l, -L, -p2 and the --dump options print. */
#ifndef STAP_LISTING_H
#define STAP_LISTING_H

#include <stdbool.h>

struct session;

/* -l and -L: the points of the program, sorted, once each. False when there are none. */
bool listing_points(struct session *s, bool variables);
/* -p2: globals, functions and probes with their types. */
void listing_program(struct session *s);
/* --dump-probe-types, --dump-probe-aliases, --dump-functions. */
void listing_dump(struct session *s);

#endif
