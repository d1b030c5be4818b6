/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How C++ passes and returns values of a class: as C does with its members, or by the
 * address of an object, if copying or destroying it is more than copying its bytes.
 */
#ifndef STAP_DWARF_CLASSPASSING_H
#define STAP_DWARF_CLASSPASSING_H

#include <elfutils/libdw.h>

/*
 * Returns DW_CC_pass_by_value or DW_CC_pass_by_reference for the type of a parameter, or
 * of a function's result; 0: it is not known, or not a class.
 */
unsigned classpassing_of(Dwarf_Die *die);

#endif
