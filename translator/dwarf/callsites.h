/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that callers pass as arguments, by debuginfo (DW_TAG_call_site). Private to this
 * folder.
 */
#ifndef STAP_DWARF_CALLSITES_H
#define STAP_DWARF_CALLSITES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "lib/vec.h"

struct session;
struct dwarf_file;

struct call_site {
	Dwarf_Addr returns_to;
	Dwarf_Off die, callee; /* the callee's first declaration in its unit */
};
typedef VEC(struct call_site) call_sites;

/* Finds the calls of the function in the file whose return address is known. */
void callsites_of(struct session *s, struct dwarf_file *f, Dwarf_Die *function, call_sites *ret);
/*
 * Finds the expression for the value that the register of that number holds at the call,
 * in terms of the caller's frame. False: the site does not tell.
 */
bool callsites_value(struct dwarf_file *f, const struct call_site *site, unsigned reg,
		     Dwarf_Attribute *attr, Dwarf_Op **ops, size_t *n);

#endif
