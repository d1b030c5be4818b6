/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as the kernel gives them to BPF programs. */
#ifndef STP_ARCH_BPF_H
#define STP_ARCH_BPF_H

#include <stdbool.h>
#include <stdint.h>

struct pt_regs {
	uint64_t regs[31], sp, pc, pstate;
	uint64_t orig_x0; /* of system calls alone */
};

#define ARCH_BPF_ADDRESS     pc
#define ARCH_BPF_RESULT	     regs[0]
#define ARCH_BPF_NUMBER	     regs[8] /* of a system call */
#define ARCH_BPF_NUMBER_MARK 0u	     /* in the number: of another ABI */

/* Prefixes of entry points of system calls, for arch_call_numbers.def. */
#define ARCH_BPF_ENTRY	  "__arm64_sys_"
#define ARCH_BPF_ENTRY_32 "__arm64_"
/*
 * Member of struct thread_info that tells whether the task runs a 32-bit program, and its
 * bit (TIF_32BIT).
 */
#define ARCH_BPF_MODE	 "flags"
#define ARCH_BPF_MODE_32 (1 << 22)

#define MODE_32 0x10 /* of pstate: a 32-bit program */

static inline bool arch_bpf_is_32(const struct pt_regs *regs)
{
	return regs->pstate & MODE_32;
}

static inline uint64_t arch_bpf_stack_arg(const struct pt_regs *regs, unsigned n)
{
	return regs->sp + 8 * (uint64_t)n;
}

/* True: the registers are a program's, not the kernel's. */
static inline bool arch_bpf_is_program(const struct pt_regs *regs)
{
	return !(regs->pstate & 15);
}

static inline uint64_t arch_bpf_address(const struct pt_regs *regs)
{
	return regs->pc;
}

static inline uint64_t arch_bpf_stack(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Returns the stack pointer that a function was entered with, when it has returned. */
static inline uint64_t arch_bpf_entry_stack(const struct pt_regs *regs)
{
	return regs->sp;
}

#endif
