/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's call chain at a probe point. */
#include <linux/kallsyms.h>
#include <linux/stacktrace.h>

#include "api.h"

#define MAX_FRAMES 48
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

void stp_print_backtrace(struct stp_ctx *c)
{
	unsigned long frames[MAX_FRAMES];
	unsigned int n = stack_trace_save(frames, MAX_FRAMES, 1);

	if (!c->regs || user_mode(c->regs)) {
		stp_print_text(c, "<no kernel backtrace here>\n", 27);
		return;
	}
	for (unsigned int i = frames_above(frames, n, c->regs->ip); i < n; i++)
		frame_print(c, frames[i]);
}
