/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STP_ARCH_MODE_H
#define STP_ARCH_MODE_H

#include <linux/compat.h>
#include <linux/ptrace.h>

/* True: the registers are those of a 32-bit program. */
static inline bool arch_is_32(const struct pt_regs *regs)
{
	return compat_user_mode(regs);
}

/*
 * True: the caller is a 32-bit program. An entry point may serve both kinds. known: it is
 * an entry point for such programs.
 */
static inline bool arch_call_is_32(bool known)
{
	return known || is_compat_task();
}

#endif
