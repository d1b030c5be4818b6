/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The units of a debug file, including those that have everything except addresses and
 * lines in a separate file (-gsplit-dwarf: x.dwo). libdw finds and opens those files. A
 * DIE of any of the files has a number, which represents it in indexes and places: its
 * offset in .debug_info, with the number of the split file above it. The file that
 * several programs share after dwz -m (.gnu_debugaltlink) also has units, with types
 * only.
 */
#ifndef STAP_DWARF_UNITS_H
#define STAP_DWARF_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dwarf_file;
struct session;

/*
 * Goes to the next unit, also one of a shared file; *cu is NULL at first. Where a split
 * file has the unit, *unit is that file's DIE.
 */
bool units_next(struct session *s, struct dwarf_file *f, Dwarf_CU **cu, Dwarf_Die *unit);
/* Replaces a split unit with the unit in its separate file, if that exists. */
void units_resolve(struct session *s, struct dwarf_file *f, Dwarf_Die *unit);

uint64_t units_id(const struct dwarf_file *f, Dwarf_Die *die);
/* Returns NULL for a number that no DIE has. */
Dwarf_Die *units_die(const struct dwarf_file *f, uint64_t id, Dwarf_Die *ret);

/* True: the file has split units, whether they exist or not, or lacks its shared file. */
bool units_are_split(struct session *s, struct dwarf_file *f);

#endif
