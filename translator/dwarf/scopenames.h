/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What names of functions are qualified by, and whether
 * they are what a pattern asks for. Private to this folder.
 */
#ifndef STAP_DWARF_SCOPENAMES_H
#define STAP_DWARF_SCOPENAMES_H

#include <elfutils/libdw.h>

#include "base/vec.h"
#include "base/glob.h"
#include "dwarf/find.h"
#include "dwarf/index.h"

/*
 * Namespaces and classes are known where functions and static
 * members are declared; their code stands elsewhere in the unit.
 */
struct scope_name {
	Dwarf_Off declaration;
	const char *scope; /* "geo::Box<int>" */
};
struct scope_names {
	VEC(struct scope_name) all; /* by declaration */
	bool are_known;             /* the language has such */
};

/* The unit is of a language that has namespaces. */
bool scopenames_are_in(Dwarf_Die *unit);
/* Of the whole unit; none where the language has none. */
void scopenames_read(struct arena *a, Dwarf_Die *unit, struct scope_names *ret);
/* Of a function, a copy of it, or a variable; "": it stands in no scope. */
const char *scopenames_find(const struct scope_names *x, Dwarf_Die *die);

/*
 * A pattern's function, as it is compared. "maximum" stands for
 * maximum<int>, maximum<long> … where no function has just this name.
 */
struct name_match {
	struct arena *arena;
	struct glob function;
	const char *scope;
};
void scopenames_match_make(struct session *s, const struct dwarf_index *x,
			   const struct dwarf_pattern *p, struct name_match *ret);
bool scopenames_match(const struct name_match *m, const char *scope, const char *function);

#endif
