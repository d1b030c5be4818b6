/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by a pattern of a script whose lines
 * are those of another version of the source.
 */
#ifndef STAP_PROBE_MOVED_H
#define STAP_PROBE_MOVED_H

#include "base/source.h"
#include "dwarf/find.h"

/*
 * As dwarf_find_functions(); of a function that is named, a line where
 * it has no code is left out of account, which a note at `loc` says.
 */
struct error *moved_find_functions(struct session *s, struct loc loc, struct dwarf_file *f,
				   const struct dwarf_pattern *p, unsigned copies,
				   dwarf_places *ret);

#endif
