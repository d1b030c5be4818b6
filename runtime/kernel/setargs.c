/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes arguments of the probed code, which are in registers or in memory: linked
 * together with stores.c, which writes memory.
 */
#include <linux/ptrace.h>

#include "api.h"
#include "arch_call.h"
#include "kernel/callregs.h"

void stp_set_arg(struct stp_ctx *c, unsigned n, int64_t value)
{
	if (!regs_present(c))
		return;
	if (n < ARRAY_SIZE(function_args))
		reg_write(c->regs, function_args[n], value);
	else
		stp_store(c, user_mode(c->regs) ? STP_USER : STP_KERNEL,
			  arch_stack_arg(c->regs, n - ARRAY_SIZE(function_args)), sizeof(long),
			  value);
}

void stp_set_syscall_arg(struct stp_ctx *c, unsigned n, int64_t value)
{
	const struct stp_point_function *point = c->probe->point;
	const uint16_t *args = arch_call_is_32(point->is_compat) ? compat_args : syscall_args;

	if (n >= ARRAY_SIZE(syscall_args))
		stp_error(c, "a system call has no argument %u", n + 1);
	else if (!point->is_syscall)
		stp_set_arg(c, n, value);
	else if (regs_present(c))
		stp_store(c, STP_KERNEL, entry_regs(c) + args[n], sizeof(long), value);
}
