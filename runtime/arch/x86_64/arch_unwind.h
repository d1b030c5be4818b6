/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of programs for stack walks: the slots of core/program_table.h are
 * DWARF's numbers.
 */
#ifndef STP_ARCH_UNWIND_H
#define STP_ARCH_UNWIND_H

/* For programs: the description of unwinding (cfi/), and ELF's machine number. */
#define ARCH_UNWIND_TABLES  x86_64_unwind
#define ARCH_UNWIND_MACHINE EM_X86_64

#define STP_UNWIND_SP 7
#define STP_UNWIND_BP 6

/* Slot of a register by its number in DWARF. */
#define ARCH_UNWIND_SLOT(number) (number)

/*
 * Slots that a called function preserves: rbx, rbp, r12 … r15. The others are lost with
 * the call.
 */
#define ARCH_CALLEE_KEEPS                                                                          \
	(1u << 3 | 1u << STP_UNWIND_BP | 1u << 12 | 1u << 13 | 1u << 14 | 1u << 15)

/* Bit of the slot with the return address until it is saved; 0: it is on the stack. */
#define ARCH_UNWIND_LINK 0u

/* Returns an address of code unchanged: it has no signature. */
#define ARCH_UNWIND_PLAIN(address) (address)

/*
 * The kernel identifies a call whose return is probed by the place of its return address.
 */
#define ARCH_UNWIND_CALL(cfa, place) (place)

/* The frame pointer's pair is the end of a frame: that of the caller begins after it. */
#define ARCH_RECORD_ENDS_FRAME 1

/*
 * The distance of the return address from the stack pointer in code in which a function
 * has no frame pointer yet, or no longer has one; -1 for other code. The code begins with
 * endbr64, push %rbp, ret, or mov %rsp,%rbp after that push. A breakpoint may replace the
 * first byte of a push that the mov follows, or of the mov.
 */
#define ARCH_UNWIND_FRAMELESS(code)                                                                \
	((uint32_t)(code) == 0xfa1e0ff3 || (uint8_t)(code) == 0x55 || (uint8_t)(code) == 0xc3 ||   \
			 (uint32_t)(code) == 0xe58948cc                                            \
		 ? 0                                                                               \
	 : ((code)&0xffffff) == 0xe58948 || ((code)&0xffffff) == 0xe589cc ? 8                      \
									  : -1)

/* 0: the code that the handler of a signal returns to has unwind data. */
#define ARCH_SIGNAL_RETURN 0ull
#define ARCH_SIGNAL_CFA	   .cfa = STP_CFA_UNKNOWN
#define ARCH_SIGNAL_PLACES                                                                         \
	{                                                                                          \
		0                                                                                  \
	}

#define ARCH_PLT_ENTRY 16 /* bytes */

#endif
