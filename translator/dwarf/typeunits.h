/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types in units of their own (-fdebug-types-section): elsewhere a DIE stands for such a
 * type, and has nothing but its signature.
 */
#ifndef STAP_DWARF_TYPEUNITS_H
#define STAP_DWARF_TYPEUNITS_H

#include <elfutils/libdw.h>

struct arena;

/* Makes a DIE that stands for a type the type itself; others stay as they are. */
void typeunits_resolve(Dwarf_Die *type);
/*
 * Returns the qualifier of a type in a unit of its own ("geo::inner"); NULL: it has none,
 * or is in a unit with code.
 */
const char *typeunits_scope(struct arena *a, Dwarf_Die *type);

#endif
