/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's call chain at a probe point. */
#include <linux/kallsyms.h>
#include <linux/stacktrace.h>

#include "api.h"

#define PATCH_BYTES 16 /* a call or breakpoint put at a point is at most this long */

static void frame_print(struct stp_ctx *c, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];
	char head[32];

	stp_print_text(c, head, scnprintf(head, sizeof(head), " 0x%lx : ", address));
	stp_print_text(c, symbol, min_t(int, sprint_symbol(symbol, address), sizeof(symbol) - 1));
	stp_print_text(c, "\n", 1);
}

/* The trace begins here, in the runtime: what lies above the point is not the script's business. */
static unsigned int frames_above(const unsigned long *frames, unsigned int n, unsigned long point)
{
	for (unsigned int i = 0; i < n; i++)
		if (frames[i] - point < PATCH_BYTES)
			return i;
	return 0;
}

unsigned int stp_kernel_stack(struct stp_ctx *c, uint64_t *ret, unsigned int max)
{
	unsigned long frames[STP_STACK_MAX];
	unsigned int n, first;

	if (!c->regs || user_mode(c->regs))
		return 0;
	n = stack_trace_save(frames, STP_STACK_MAX, 1);
	first = frames_above(frames, n, c->regs->ip);
	n = min(n - first, max);
	for (unsigned int i = 0; i < n; i++)
		ret[i] = frames[first + i];
	/* The point itself, not where its call or breakpoint goes on. */
	if (n && ret[0] - c->regs->ip < PATCH_BYTES)
		ret[0] = c->regs->ip;
	return n;
}

void stp_print_backtrace(struct stp_ctx *c)
{
	uint64_t frames[STP_STACK_MAX];
	unsigned int n = stp_kernel_stack(c, frames, STP_STACK_MAX);

	if (!n)
		stp_print_text(c, "<no kernel backtrace here>\n", 27);
	for (unsigned int i = 0; i < n; i++)
		frame_print(c, frames[i]);
}
