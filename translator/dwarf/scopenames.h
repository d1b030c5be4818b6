/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Qualifiers of functions' names. Private to this folder. */
#ifndef STAP_DWARF_SCOPENAMES_H
#define STAP_DWARF_SCOPENAMES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "lib/vec.h"

struct arena;

/*
 * Namespaces and classes are known where functions and static members are declared; their
 * code stands elsewhere in the unit.
 */
struct scope_name {
	Dwarf_Off declaration;
	const char *scope; /* "geo::Box<int>" */
};
struct scope_names {
	VEC(struct scope_name) all; /* by declaration */
	bool are_known;		    /* the language has scopes */
};

/* True: the unit's language has namespaces. */
bool scopenames_are_in(Dwarf_Die *unit);
/* Reads the names of the whole unit; none where the language has no scopes. */
void scopenames_read(struct arena *a, Dwarf_Die *unit, struct scope_names *ret);
/* Returns the scope of a function, a copy of it, or a variable; "": it is in no scope. */
const char *scopenames_find(const struct scope_names *x, Dwarf_Die *die);

#endif
