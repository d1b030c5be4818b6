/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types in separate units (-fdebug-types-section): elsewhere a DIE represents such a
 * type, and has only its signature.
 */
#ifndef STAP_DWARF_TYPEUNITS_H
#define STAP_DWARF_TYPEUNITS_H

#include <elfutils/libdw.h>

struct arena;

/* Replaces a DIE that represents a type with the type itself; others stay as they are. */
void typeunits_resolve(Dwarf_Die *type);
/*
 * Returns the qualifier of a type in a separate unit ("geo::inner"); NULL: it has none,
 * or is in a unit with code.
 */
const char *typeunits_scope(struct arena *a, Dwarf_Die *type);

#endif
