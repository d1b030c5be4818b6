/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of whole files for unwind/, which need not know DIEs. */
#ifndef STAP_DWARF_ROWS_H
#define STAP_DWARF_ROWS_H

#include <libelf.h>

#include "dwarf/dwarf.h"

/* Called for a row of a line table; line 0 ends a sequence. */
typedef void (*dwarf_row_fn)(void *ctx, uint64_t address, const char *file, unsigned line);

/* Calls back for every row of every unit, in the order of the file. */
void dwarf_rows(struct session *s, struct dwarf_file *f, dwarf_row_fn fn, void *ctx);

/* Returns the file that holds the debuginfo: the program itself, or a separate one. */
Elf *dwarf_debug_elf(const struct dwarf_file *f);

#endif
