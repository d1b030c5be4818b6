/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times at which a variable's only place, a slot of its function's frame, has its value.
 * Debuginfo of optimised code gives such a place for the whole function, although the
 * value is stored there somewhere in it. Private to this folder.
 */
#ifndef STAP_DWARF_SLOTSTORES_H
#define STAP_DWARF_SLOTSTORES_H

#include <stdint.h>

#include "dwarf/machine.h"

/*
 * True: the code can come from the function's entry to the present address before it has
 * stored the variable in its slot. *written has the registers that it may have written on
 * the way, as bits by DWARF's numbers; all bits if a part of the variable may be stored.
 */
bool slotstores_is_missing(struct machine *m, Dwarf_Die *variable, uint64_t *written);
/*
 * True: each call runs all code from the function's entry to the address, which has then
 * stored all parameters in their slots; or the machine's code cannot be read.
 */
bool slotstores_are_done(struct session *s, struct dwarf_file *f, Dwarf_Die *function,
			 uint64_t address);

#endif
