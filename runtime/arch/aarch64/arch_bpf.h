/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as the kernel gives them to BPF programs. */
#ifndef STP_ARCH_BPF_H
#define STP_ARCH_BPF_H

#include <stdbool.h>
#include <stdint.h>

struct pt_regs {
	uint64_t regs[31], sp, pc, pstate;
};

#define ARCH_BPF_RESULT regs[0]

#define MODE_32 0x10 /* of pstate: a 32-bit program */

static inline bool arch_bpf_is_32(const struct pt_regs *regs)
{
	return regs->pstate & MODE_32;
}

static inline uint64_t arch_bpf_stack_arg(const struct pt_regs *regs, unsigned n)
{
	return regs->sp + 8 * (uint64_t)n;
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
