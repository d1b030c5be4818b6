/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STP_ARCH_MODE_H
#define STP_ARCH_MODE_H

#include <linux/ptrace.h>

/* True: the registers are those of a 32-bit program. */
static inline bool arch_is_32(const struct pt_regs *regs)
{
	/* Kernels differ in which of the two functions takes a const pointer. */
	struct pt_regs *r = (struct pt_regs *)regs;

	return user_mode(r) && !user_64bit_mode(r);
}

/*
 * True: the caller is a 32-bit program. These have separate entry points; known: it is
 * one of them.
 */
static inline bool arch_call_is_32(bool known)
{
	return known;
}

#endif
