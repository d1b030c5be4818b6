/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which copy of which function the code at an address
 * of one unit belongs to. Private to this folder.
 */
#ifndef STAP_DWARF_SCOPES_H
#define STAP_DWARF_SCOPES_H

#include <elfutils/libdw.h>

#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "dwarf/scopenames.h"

/* A copy of a function; a part of its code for each of its address ranges. */
struct scope {
	const char *name, *qualifier, *file;
	unsigned line;
	bool is_inlined;
	Dwarf_Off die, frame;
	Dwarf_Addr entry;
	int outer; /* the copy that it stands in, or -1 */
};

struct scope_part {
	Dwarf_Addr begin, end;
	unsigned scope, depth;
};

struct scopes {
	VEC(struct scope) all;
	VEC(struct scope_part) parts; /* by begin, outer ones first */
	Dwarf_Addr longest;           /* part */
	struct scope_names names;
};

/* Of the unit, or of what is in one of its DIEs. */
void scopes_read(struct session *s, Dwarf_Die *unit, struct scopes *ret);
/* The innermost copy at the address, or -1. */
int scopes_find(const struct scopes *x, Dwarf_Addr address);
struct dwarf_place scope_place(struct dwarf_file *f, const struct scope *x, uint64_t address);

/* Where a function's copy is entered: of one in parts the first. */
bool scopes_entry(Dwarf_Die *die, Dwarf_Addr *ret);
/* The one address that a variable has in the whole program. */
bool scopes_static_address(Dwarf_Die *die, Dwarf_Addr *ret);
/* The one offset that it has in the block of each thread. */
bool scopes_thread_offset(Dwarf_Die *die, Dwarf_Addr *ret);

#endif
