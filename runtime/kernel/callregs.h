/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of arguments among the registers of a hit, by the calling convention: regs.c
 * reads them, setargs.c writes them.
 */
#ifndef STP_KERNEL_CALLREGS_H
#define STP_KERNEL_CALLREGS_H

#include <linux/ptrace.h>

#include "api.h"
#include "arch_call.h"

#define MEMBER(name) offsetof(struct pt_regs, name),

static const uint16_t function_args[] = { ARCH_FUNCTION_ARGS(MEMBER) };
static const uint16_t syscall_args[] = { ARCH_SYSCALL_ARGS(MEMBER) };
static const uint16_t compat_args[] = { ARCH_COMPAT_ARGS(MEMBER) };

static inline int64_t reg_read(const struct pt_regs *regs, uint16_t offset)
{
	return *(const int64_t *)((const char *)regs + offset);
}

static inline void reg_write(struct pt_regs *regs, uint16_t offset, int64_t value)
{
	*(int64_t *)((char *)regs + offset) = value;
}

static inline bool regs_present(struct stp_ctx *c)
{
	if (!c->regs)
		stp_error(c, "no registers here");
	return c->regs;
}

/*
 * Returns the address of the registers that the caller had when it entered the kernel:
 * this is the only argument of the entry points of system calls.
 */
static inline unsigned long entry_regs(const struct stp_ctx *c)
{
	return reg_read(c->regs, function_args[0]);
}

#endif
