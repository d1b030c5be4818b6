/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots of the procedure linkage table: the few bytes of code by which a program calls a
 * function of a library. They jump to the address that the dynamic linker has written
 * into a word of data, and the relocation of that word has the function's name.
 */
#ifndef STAP_PLT_H
#define STAP_PLT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct session;
struct error;
struct executable;

struct plt_slot {
	const char *name;
	uint64_t address; /* as in the file */
	/*
	 * A weak reference that is bound at start: the code works without it if no
	 * library has the function.
	 */
	bool is_spare;
};
typedef VEC(struct plt_slot) plt_slots;

/*
 * Lists the slots by name, then address. Programs that are linked statically or compiled
 * with -fno-plt have none.
 */
struct error *plt_read(struct session *s, const struct executable *p, plt_slots *ret);

#endif
