/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps addresses of one unit to the copies of functions that contain them. Private to
 * this folder.
 */
#ifndef STAP_DWARF_SCOPES_H
#define STAP_DWARF_SCOPES_H

#include <elfutils/libdw.h>

#include "dwarf/dwarf.h"
#include "dwarf/scopenames.h"
#include "lib/vec.h"

/* A copy of a function; each of its address ranges is a part. */
struct scope {
	const char *name, *qualifier, *file;
	unsigned line;
	bool is_inlined;
	Dwarf_Off die, frame;
	Dwarf_Addr entry;
	int outer; /* index of the copy that it is part of, or -1 */
};

struct scope_part {
	Dwarf_Addr begin, end;
	unsigned scope, depth;
};

struct scopes {
	VEC(struct scope) all;
	VEC(struct scope_part) parts; /* by begin, outer ones first */
	Dwarf_Addr longest;	      /* length of the longest part */
	struct scope_names names;
};

/* Reads the scopes of the unit, or those inside one of its DIEs. */
void scopes_read(struct session *s, const struct dwarf_file *f, Dwarf_Die *unit,
		 struct scopes *ret);
/* Returns the innermost copy at the address, or -1. */
int scopes_find(const struct scopes *x, Dwarf_Addr address);
struct dwarf_place scope_place(struct dwarf_file *f, const struct scope *x, uint64_t address);

/* Returns the file that declares the DIE, through its origins; NULL: it has none. */
const char *scopes_decl_file(Dwarf_Die *die);
/*
 * Finds where a copy of a function was declared. A function that the compiler has made
 * from an expression, such as a closure, has no declaration, and older Go compilers do
 * not record the line: then the first line with code is used. *file is NULL, or *line 0:
 * unknown.
 */
void scopes_declared(Dwarf_Die *die, Dwarf_Addr entry, const char **file, unsigned *line);
/* Finds the entry of a function's copy; of a copy in parts, the entry of the first. */
bool scopes_entry(Dwarf_Die *die, Dwarf_Addr *ret);
/*
 * Finds the number that an operation pushes, in it or, by its index, in the unit's table
 * of addresses (DWARF 5); false: it is another operation.
 */
bool scopes_constant(Dwarf_Attribute *attr, const Dwarf_Op *op, Dwarf_Addr *ret);
/* Finds the one address that a variable has in the whole program. */
bool scopes_static_address(Dwarf_Die *die, Dwarf_Addr *ret);
/* Finds the one offset that a variable has in the block of each thread. */
bool scopes_thread_offset(Dwarf_Die *die, Dwarf_Addr *ret);

#endif
