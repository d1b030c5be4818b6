/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of programs for stack walks. Those that a function preserves have slots
 * of core/program_table.h, from x19 on; the others share one that nothing reads.
 */
#ifndef STP_ARCH_UNWIND_H
#define STP_ARCH_UNWIND_H

#define ARCH_UNWIND_FIRST 19
#define ARCH_UNWIND_LAST  31
#define ARCH_UNWIND_NONE  15

/* For programs: the description of unwinding (cfi/), and ELF's machine number. */
#define ARCH_UNWIND_TABLES  aarch64_unwind
#define ARCH_UNWIND_MACHINE EM_AARCH64

#define STP_UNWIND_SP 12
#define STP_UNWIND_BP 10

/* Slot of a register by its number in DWARF; 32 is the program counter. */
#define ARCH_UNWIND_SLOT(number)                                                                   \
	((number) == 32			 ? 16                                                      \
	 : (number) >= ARCH_UNWIND_FIRST ? (number)-ARCH_UNWIND_FIRST                              \
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
 * The kernel identifies a call whose return is probed by its initial stack pointer.
 */
#define ARCH_UNWIND_CALL(cfa, place) (cfa)

/* A frame record is at the low end of its frame: the caller's begins anywhere above. */
#define ARCH_RECORD_ENDS_FRAME 0

/*
 * The caller of a function without a frame pointer is in a register: perf also leaves
 * that out.
 */
#define ARCH_UNWIND_FRAMELESS(code) -1

/*
 * Code that the handler of a signal returns to, `mov x8, #139; svc #0`: the kernel
 * provides it without unwind data. The stack pointer is then at the signal's frame, which
 * has all registers in order of their numbers.
 */
#define ARCH_SIGNAL_RETURN	   0xd4000001d2801168ull
#define ARCH_SIGNAL_OFFSET(number) (312 + 8 * (number))
#define ARCH_SIGNAL_CFA                                                                            \
	.cfa = STP_CFA_MEMORY, .base = STP_UNWIND_SP, .offset = ARCH_SIGNAL_OFFSET(31)
#define ARCH_SIGNAL_PLACE(number)                                                                  \
	{                                                                                          \
		.reg = ARCH_UNWIND_SLOT(number), .from = STP_UNWIND_SP,                            \
		.offset = ARCH_SIGNAL_OFFSET(number)                                               \
	}
#define ARCH_SIGNAL_PLACES                                                                         \
	ARCH_SIGNAL_PLACE(19), ARCH_SIGNAL_PLACE(20), ARCH_SIGNAL_PLACE(21),                       \
		ARCH_SIGNAL_PLACE(22), ARCH_SIGNAL_PLACE(23), ARCH_SIGNAL_PLACE(24),               \
		ARCH_SIGNAL_PLACE(25), ARCH_SIGNAL_PLACE(26), ARCH_SIGNAL_PLACE(27),               \
		ARCH_SIGNAL_PLACE(28), ARCH_SIGNAL_PLACE(29), ARCH_SIGNAL_PLACE(30),               \
		ARCH_SIGNAL_PLACE(32)

#define ARCH_PLT_ENTRY 16 /* bytes */

#endif
