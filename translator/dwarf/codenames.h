/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses by which values of libraries tell their type at run time: functions that the
 * C++ library makes for a std::any or a std::function, tables of a trait of Rust.
 */
#ifndef STAP_DWARF_CODENAMES_H
#define STAP_DWARF_CODENAMES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct session;

struct code_name {
	uint64_t address; /* in the file */
	const char *type;
};
typedef VEC(struct code_name) code_names;

/* They are listed when a type of the unit asks for them. */
struct codenames {
	struct session *s;
	Dwarf_Die unit;
	bool has_functions, has_tables;
	code_names functions, tables; /* by their own names */
};

/* False: a type of this name, without its scope, is none of those. */
bool codenames_may_be(const char *name);
/*
 * Appends the types that a value of this type, with its qualified name, can have inside,
 * if it is one of those.
 */
void codenames_find(struct codenames *x, const char *type, code_names *ret);

#endif
