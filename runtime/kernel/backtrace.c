/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's call chain at a probe point. */
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

unsigned int port_symbol(char *text, uint64_t address)
{
	return min_t(int, sprint_symbol(text, address), KSYM_SYMBOL_LEN - 1);
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
 * Unwinds from the registers. If a breakpoint has become a jump, it is entered through
 * code unknown to unwinders, but the registers are complete there.
 */
static unsigned int frames_of_registers(unsigned long *frames, struct pt_regs *regs,
					unsigned int max)
{
	struct arch_walk walk;
	unsigned int n = 0;

	frames[n++] = instruction_pointer(regs); /* the walk begins with its caller */
	for (arch_walk_begin(&walk, current, regs); n < max && !arch_walk_is_over(&walk);
	     arch_walk_next(&walk)) {
		frames[n] = arch_walk_address(&walk);
		if (!frames[n])
			break;
		n++;
	}
	return n;
}

/*
 * A tracepoint has no registers: its trace begins where the kernel enters it, after our
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

/* The whole stack, cut off above the point. */
static unsigned int frames_of_task(struct stp_ctx *c, unsigned long *frames, unsigned int max)
{
	unsigned int n = stack_trace_save(frames, STP_STACK_MAX, 1), first;

	stp_charge(c, STP_FRAME_WORK * (u64)(n + 2));
	first = c->regs ? frames_above(frames, n, instruction_pointer(c->regs))
			: frames_of_listener(c, frames, n);
	if (c->regs && !first) {
		n = frames_of_registers(frames, c->regs, STP_STACK_MAX);
		stp_charge(c, STP_FRAME_WORK * (u64)(n + 2));
	}
	n = min(n - first, max);
	memmove(frames, frames + first, n * sizeof(*frames));
	return n;
}

/*
 * Walks from the registers if that misses no frame: walking through the frames of a hit
 * costs more.
 */
unsigned int stp_kernel_stack(struct stp_ctx *c, uint64_t *ret, unsigned int max)
{
	unsigned long *frames = (unsigned long *)ret;
	unsigned int n = 0;

	BUILD_BUG_ON(sizeof(*frames) != sizeof(*ret));
	if (!max || (c->regs ? user_mode(c->regs) : !c->args))
		return 0;
	if (ARCH_WALK_MISSES_NONE && c->regs) {
		n = frames_of_registers(frames, c->regs, max);
		stp_charge(c, STP_FRAME_WORK * (u64)(n + 2));
	}
	if (!n || (n == 1 && max > 1))
		n = frames_of_task(c, frames, max);
	/* Shows the point itself, not the address after its call or breakpoint. */
	if (n && c->regs && frames[0] - instruction_pointer(c->regs) < ARCH_PATCH_BYTES)
		frames[0] = instruction_pointer(c->regs);
	return n;
}
