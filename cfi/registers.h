/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of an architecture for tables to walk stacks of programs by; a file here each. */
#ifndef CFI_REGISTERS_H
#define CFI_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch_unwind {
	/* Returns the slot of a register, by DWARF's number; -1: none needs it. */
	int (*slot)(uint64_t reg);
	uint8_t sp;		/* slot of the stack pointer */
	uint64_t return_column; /* DWARF's number of the return address, */
	bool has_link;		/* a register, in which it comes and may stay */
	bool signs;		/* DW_CFA_GNU_window_save says that it is signed from here on */
	/* The beginning of the CFA's expression in a PLT, up to the place; 0: none. */
	const uint8_t *plt;
	size_t plt_size;
};

#endif
