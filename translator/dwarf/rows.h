/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tables of whole files are made of: for unwind/, which has no business with DIEs.
 */
#ifndef STAP_DWARF_ROWS_H
#define STAP_DWARF_ROWS_H

#include <libelf.h>

#include "dwarf/dwarf.h"

/* A row of a line table; line 0 ends a sequence. */
typedef void (*dwarf_row_fn)(void *ctx, uint64_t address, const char *file, unsigned line);

/* Every row of every unit, in the order of the file. */
void dwarf_rows(struct session *s, struct dwarf_file *f, dwarf_row_fn fn, void *ctx);

/* The file that holds the debuginfo: the program itself, or a separate one. */
Elf *dwarf_debug_elf(const struct dwarf_file *f);

#endif
