/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's call chain at a probe point. */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "api.h"
#include "arch_code.h"
#include "arch_stack.h"

uint64_t stp_symbol_work(uint64_t address)
{
	return address >= MODULES_VADDR && address < MODULES_END ? STP_MODULE_SYMBOL_WORK
								 : STP_SYMBOL_WORK;
}

static void frame_print(struct stp_ctx *c, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];
	char head[32];

	if (!stp_charge(c, stp_symbol_work(address) + 2 * STP_TEXT_WORK))
		return;
	stp_print_text(c, head, scnprintf(head, sizeof(head), " 0x%lx : ", address));
	stp_print_text(c, symbol, min_t(int, sprint_symbol(symbol, address), sizeof(symbol) - 1));
	stp_print_text(c, "\n", 1);
}

/* The trace begins here, in the runtime: frames above the point are cut off. */
static unsigned int frames_above(const unsigned long *frames, unsigned int n, unsigned long point)
{
	for (unsigned int i = 0; i < n; i++)
		if (frames[i] - point < ARCH_PATCH_BYTES)
			return i;
	return 0;
}

/*
 * Unwinds from the registers. A breakpoint that has become a jump is entered through code
 * that no unwinder knows, but the registers are whole there.
 */
static unsigned int frames_of_registers(unsigned long *frames, struct pt_regs *regs)
{
	struct arch_walk walk;
	unsigned int n = 0;

	frames[n++] = instruction_pointer(regs); /* the walk begins with the caller of that */
	for (arch_walk_begin(&walk, current, regs); n < STP_STACK_MAX && !arch_walk_is_over(&walk);
	     arch_walk_next(&walk)) {
		frames[n] = arch_walk_address(&walk);
		if (!frames[n])
			break;
		n++;
	}
	return n;
}

/*
 * A tracepoint has no registers: its trace begins where the kernel enters it, behind our
 * frames and those of the code that calls all listeners.
 */
static unsigned int frames_of_listener(struct stp_ctx *c, const unsigned long *frames,
				       unsigned int n)
{
	char symbol[KSYM_SYMBOL_LEN];
	unsigned int i = 0;

	while (i < n && within_module(frames[i], THIS_MODULE))
		i++;
	if (i == n)
		return 0;
	stp_charge(c, stp_symbol_work(frames[i]));
	sprint_symbol_no_offset(symbol, frames[i]);
	return i + !strncmp(symbol, "__traceiter_", strlen("__traceiter_"));
}

unsigned int stp_kernel_stack(struct stp_ctx *c, uint64_t *ret, unsigned int max)
{
	unsigned long frames[STP_STACK_MAX];
	unsigned int n, first;
	unsigned long point;

	if (c->regs ? user_mode(c->regs) : !c->args)
		return 0;
	n = stack_trace_save(frames, STP_STACK_MAX, 1);
	stp_charge(c, STP_FRAME_WORK * (u64)(n + 2));
	point = c->regs ? instruction_pointer(c->regs) : 0;
	first = c->regs ? frames_above(frames, n, point) : frames_of_listener(c, frames, n);
	if (c->regs && !first) {
		n = frames_of_registers(frames, c->regs);
		stp_charge(c, STP_FRAME_WORK * (u64)(n + 2));
	}
	n = min(n - first, max);
	for (unsigned int i = 0; i < n; i++)
		ret[i] = frames[first + i];
	/* Shows the point itself, not where its call or breakpoint goes on. */
	if (n && c->regs && ret[0] - point < ARCH_PATCH_BYTES)
		ret[0] = point;
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
