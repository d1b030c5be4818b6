/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that a script names by a pattern with lines of another version of the source.
 */
#ifndef STAP_PROBE_USER_LINEDRIFT_H
#define STAP_PROBE_USER_LINEDRIFT_H

#include "base/source.h"
#include "dwarf/find.h"

/*
 * Finds functions as dwarf_find_functions() does. For a named function, ignores a line
 * without code; a note at `loc` reports this.
 */
struct error *linedrift_find(struct session *s, struct loc loc, struct dwarf_file *f,
			     const struct dwarf_pattern *p, unsigned copies, dwarf_places *ret);

#endif
