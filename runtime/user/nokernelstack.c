/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks and symbols of the kernel, with --runtime=user: there are none. */
#include "api/point.h"
#include "core/port.h"
#include "core/session.h"

unsigned stp_kernel_stack(struct stp_ctx *c, uint64_t *frames, unsigned max)
{
	return 0;
}

uint64_t stp_symbol_work(uint64_t address)
{
	return STP_SYMBOL_WORK;
}

void stp_print_backtrace(struct stp_ctx *c)
{
	stp_error(c, "print_backtrace: not in a script that runs in user space");
}
