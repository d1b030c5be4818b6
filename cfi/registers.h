/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about an architecture for tables that walk stacks of programs; one file each. */
#ifndef CFI_REGISTERS_H
#define CFI_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch_unwind {
	/*
	 * Returns the slot of a register, by DWARF's number; -1: the register is not
	 * needed.
	 */
	int (*slot)(uint64_t reg);
	uint8_t sp;		/* slot of the stack pointer */
	uint64_t return_column; /* DWARF's number of the return address, */
	bool has_link;		/* the return address arrives in a register and may stay there */
	bool signs;		/* DW_CFA_GNU_window_save says that it is signed from here on */
	/* The beginning of the CFA's expression in a PLT, up to the place; 0: none. */
	const uint8_t *plt;
	size_t plt_size;
};

#endif
