/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of programs as stacks are walked. Those that a function preserves have slots
 * of core/program_table.h, from x19 on; the others share one that nothing reads.
 */
#ifndef STP_ARCH_UNWIND_H
#define STP_ARCH_UNWIND_H

#define ARCH_UNWIND_FIRST 19
#define ARCH_UNWIND_LAST  31
#define ARCH_UNWIND_NONE  15

#define STP_UNWIND_SP 12
#define STP_UNWIND_BP 10

/* Slot of a register by its number in DWARF; 32 is the next instruction. */
#define ARCH_UNWIND_SLOT(number)                                                                   \
	((number) == 32                  ? 16                                                      \
	 : (number) >= ARCH_UNWIND_FIRST ? (number) - ARCH_UNWIND_FIRST                            \
					 : ARCH_UNWIND_NONE)

/* Slots that a called function preserves: x19 … x29. The others are lost. */
#define ARCH_CALLEE_KEEPS ((1u << 11) - 1)

/* Bit of the slot with the return address until a function saves it: x30's. */
#define ARCH_UNWIND_LINK (1u << 11)

/*
 * Strips the signature of an address of code (pointer authentication): it is above the
 * bits that addresses of programs have.
 */
#ifdef __KERNEL__
#include <asm/memory.h>
#define ARCH_UNWIND_BITS vabits_actual
#else
#define ARCH_UNWIND_BITS 48
#endif
#define ARCH_UNWIND_PLAIN(address) ((address) & ((1ull << ARCH_UNWIND_BITS) - 1))

/*
 * The kernel knows a call whose return is probed by the stack pointer as it began.
 */
#define ARCH_UNWIND_CALL(cfa, place) (cfa)

#define ARCH_PLT_ENTRY 16 /* bytes */

#endif
