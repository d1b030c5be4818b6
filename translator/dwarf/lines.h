/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interface between find.c and lines.c. Private to this folder. */
#ifndef STAP_DWARF_LINES_H
#define STAP_DWARF_LINES_H

#include "dwarf/find.h"

bool dwarf_lines_contain(const struct dwarf_pattern *p, long line);

/* Lists the units that may have code of the pattern's file and function. */
typedef VEC(uint64_t) unit_offsets;
struct error *dwarf_units_with(struct session *s, struct dwarf_file *f,
			       const struct dwarf_pattern *p, unit_offsets *ret);

/*
 * Lists the places for statement probes in the copy of the function that the place is in:
 * one place a line, by line.
 */
void dwarf_lines_of_copy(struct session *s, const struct dwarf_place *p, dwarf_places *ret);

#endif
