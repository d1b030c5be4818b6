/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Qualifiers of functions' names. Private to this folder. */
#ifndef STAP_DWARF_SCOPENAMES_H
#define STAP_DWARF_SCOPENAMES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * Namespaces and classes are known where functions and static members are declared. The
 * code is elsewhere in the unit, or in another one: after -flto, and in files of dwz. A
 * DIE is known by its address: libdw maps a file's sections once.
 */
struct scope_name {
	const void *declaration; /* or a type, or a unit that has been read */
	const char *scope;	 /* "geo::Box<int>"; "": none */
};
struct scope_names {
	struct arena *arena;
	struct scope_name *all; /* open-addressed */
	size_t mask, count;
	bool are_known; /* the language of the unit has scopes */
};

/* True: the unit's language has namespaces. */
bool scopenames_are_in(Dwarf_Die *unit);
/* Selects the unit of the next DIEs; this reads nothing yet. */
void scopenames_enter(struct scope_names *x, struct arena *a, Dwarf_Die *unit);
/*
 * Returns the scope of a function, a copy of it, a variable, or a type; "": it is in no
 * scope.
 */
const char *scopenames_find(struct scope_names *x, Dwarf_Die *die);

#endif
