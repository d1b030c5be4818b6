/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures, classes, unions and enums with payload of a unit, with their members. */
#ifndef STAP_DWARF_UNITSTRUCT_H
#define STAP_DWARF_UNITSTRUCT_H

#include <elfutils/libdw.h>

struct unit_types;

/* Writes the type to the unit's table. kind: BTF_KIND_STRUCT or BTF_KIND_UNION. */
void unitstruct_write(struct unit_types *u, Dwarf_Die *die, unsigned kind);

#endif
