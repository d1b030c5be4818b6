/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as the kernel gives them to BPF programs. */
#ifndef STP_ARCH_BPF_H
#define STP_ARCH_BPF_H

#include <stdbool.h>
#include <stdint.h>

struct pt_regs {
	uint64_t r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	uint64_t orig_ax, ip, cs, flags, sp, ss;
};

#define ARCH_BPF_ADDRESS     ip
#define ARCH_BPF_RESULT	     ax
#define ARCH_BPF_NUMBER	     orig_ax	 /* of a system call */
#define ARCH_BPF_NUMBER_MARK 0x40000000u /* in the number: the ABI is x32 */

/* Prefixes of entry points of system calls, for arch_call_numbers.def. */
#define ARCH_BPF_ENTRY	  "__x64_sys_"
#define ARCH_BPF_ENTRY_32 "__ia32_"
/*
 * Member of struct thread_info that tells whether a system call was made like those of
 * 32-bit programs, and its bit (TS_COMPAT).
 */
#define ARCH_BPF_MODE	 "status"
#define ARCH_BPF_MODE_32 2

#define CODE_32 0x23 /* segment of 32-bit programs */

static inline bool arch_bpf_is_32(const struct pt_regs *regs)
{
	return regs->cs == CODE_32;
}

/*
 * Returns the place of the n-th argument on the stack: the return address comes before
 * it.
 */
static inline uint64_t arch_bpf_stack_arg(const struct pt_regs *regs, unsigned n)
{
	return regs->sp + 8 * (1 + (uint64_t)n);
}

/* True: the registers are a program's, not the kernel's. */
static inline bool arch_bpf_is_program(const struct pt_regs *regs)
{
	return regs->cs & 3;
}

static inline uint64_t arch_bpf_address(const struct pt_regs *regs)
{
	return regs->ip;
}

static inline uint64_t arch_bpf_stack(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Returns the stack pointer that a function was entered with, when it has returned. */
static inline uint64_t arch_bpf_entry_stack(const struct pt_regs *regs)
{
	return regs->sp - 8;
}

#endif
