/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print_backtrace(), where points have a stack of the kernel. */
#include "api/point.h"
#include "core/port.h"
#include "core/session.h"

static void frame_print(struct stp_ctx *c, uint64_t address)
{
	char text[PORT_SYMBOL_BYTES];

	if (!stp_charge(c, stp_symbol_work(address) + 2 * STP_TEXT_WORK))
		return;
	snprintf(text, sizeof(text), " 0x%llx : ", (unsigned long long)address);
	stp_print_text(c, text, strlen(text));
	stp_print_text(c, text, port_symbol(text, address));
	stp_print_text(c, "\n", 1);
}

void stp_print_backtrace(struct stp_ctx *c)
{
	uint64_t frames[STP_STACK_MAX] STP_UNSET;
	unsigned int n = stp_kernel_stack(c, frames, STP_STACK_MAX);

	if (!n)
		stp_print_text(c, "<no kernel backtrace here>\n", 27);
	for (unsigned int i = 0; i < n; i++)
		frame_print(c, frames[i]);
}
