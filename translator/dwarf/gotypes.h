/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of Go at run time: an interface has the address of the type of its value. */
#ifndef STAP_DWARF_GOTYPES_H
#define STAP_DWARF_GOTYPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

/*
 * Returns the address in the file to which the names of a program's types are relative,
 * from a unit of it; 0: not known.
 */
uint32_t gotypes_names(Dwarf_Die *unit);

#endif
