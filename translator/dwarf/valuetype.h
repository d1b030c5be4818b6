/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of a variable, a parameter, a member or a function's result. */
#ifndef STAP_DWARF_VALUETYPE_H
#define STAP_DWARF_VALUETYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Both return false if there is none (void). The first finds it as it was declared. */
bool valuetype_declared(Dwarf_Die *die, Dwarf_Die *ret);
/* Finds it without qualifiers and typedefs. */
bool valuetype_of(Dwarf_Die *die, Dwarf_Die *ret);

#endif
