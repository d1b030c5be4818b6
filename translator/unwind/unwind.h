/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that modules carry for stacks and symbols of programs: the choice of programs and
 * libraries, and a table for each.
 *
 *   selection.c    choice: those that are probed, -c, -x, -d, --ldd
 *   vdso.c         the library that the kernel brings
 *   moduletable.c  reading one of them
 *   sourcetable.c  tables of source lines only, for the kernel and its modules
 *
 * The tables are made by cfi/: their layout is runtime/core/program_table.h.
 */
#ifndef STAP_UNWIND_H
#define STAP_UNWIND_H

#include <stdbool.h>

#include "unwind/moduletable.h"

typedef VEC(struct unwind_module *) unwind_modules;

/*
 * Makes the tables. Warns about libraries that are left out and names the option that
 * adds them.
 */
void unwind_collect(struct session *s, bool with_lines, unwind_modules *ret);

#endif
