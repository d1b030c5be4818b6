/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparison of functions' names with patterns. Private to this folder. */
#ifndef STAP_DWARF_NAMEMATCH_H
#define STAP_DWARF_NAMEMATCH_H

#include <stdbool.h>

#include "dwarf/find.h"
#include "lib/glob.h"

struct dwarf_index;

/*
 * A pattern's function, prepared for comparing. "maximum" matches maximum<int>,
 * maximum<long> … if no function of the scope has exactly this name, and
 * "maximum<a,b>" for maximum<a, b>.
 */
struct name_match {
	struct arena *arena;
	struct glob function;
	const char *exact; /* the name, without blanks; NULL: only the glob is compared */
	const char *scope;
};
void namematch_make(struct session *s, const struct dwarf_index *x, const struct dwarf_pattern *p,
		    struct name_match *ret);
/* True: the pattern means the function of that scope. */
bool namematch_fits(const struct name_match *m, const char *scope, const char *function);

#endif
