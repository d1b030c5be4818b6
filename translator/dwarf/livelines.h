/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_DWARF_LIVELINES_H
#define STAP_DWARF_LIVELINES_H

#include <stdbool.h>

#include "lib/vec.h"

struct session;

/* A line of a function, and whether a variable can be read there. */
struct line_life {
	unsigned line;
	bool is_live;
};
typedef VEC(struct line_life) line_lives;

/*
 * Returns the lines at which the variable can be read, in the list's order, as "12-20,
 * 25"; NULL: there are none.
 */
const char *livelines_at(struct session *s, const line_lives *list);

#endif
