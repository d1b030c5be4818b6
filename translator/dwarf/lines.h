/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements by line. Private to this folder. */
#ifndef STAP_DWARF_LINES_H
#define STAP_DWARF_LINES_H

#include "dwarf/find.h"

typedef VEC(uint64_t) unit_offsets;

/*
 * Finds the first address of each of the pattern's lines in each copy, in these units.
 * With `nearest`, a line without code means the next line with code.
 */
struct error *lines_find(struct session *s, struct dwarf_file *f, const struct dwarf_pattern *p,
			 const unit_offsets *units, bool nearest, dwarf_places *ret);

/*
 * Lists the places for statement probes in the copy of the function that the place is in:
 * one place a line, by line.
 */
void dwarf_lines_of_copy(struct session *s, const struct dwarf_place *p, dwarf_places *ret);

#endif
