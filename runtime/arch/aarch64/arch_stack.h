/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the kernel's stack, from registers or a task, by its frame pointers: the kernel
 * exports no unwinder. Each frame is a pair, the caller's frame and the return address.
 */
#ifndef STP_ARCH_STACK_H
#define STP_ARCH_STACK_H

#include <linux/uaccess.h>

#include <asm/processor.h>

/* 0: a walk from registers may miss a caller, if a function has no frame yet. */
#define ARCH_WALK_MISSES_NONE 0

struct arch_walk {
	unsigned long frame, address;
	bool is_over;
};

/* Restores the bits that a signature of the address takes (pointer authentication). */
static inline unsigned long arch_walk_plain(unsigned long address)
{
	return address | ~0ul << VA_BITS_MIN;
}

/* Moves on to the caller. Frames are in ascending order, so the walk ends. */
static inline void arch_walk_next(struct arch_walk *w)
{
	unsigned long pair[2];

	w->is_over |= !w->frame || w->frame % sizeof(long) ||
		      copy_from_kernel_nofault(pair, (const void *)w->frame, sizeof(pair));
	if (w->is_over)
		return;
	w->is_over = pair[0] && pair[0] <= w->frame;
	w->frame = pair[0];
	w->address = pair[1] ? arch_walk_plain(pair[1]) : 0;
	w->is_over |= !w->address;
}

/* Begins the walk. regs NULL: begins where the task sleeps. */
static inline void arch_walk_begin(struct arch_walk *w, struct task_struct *task,
				   struct pt_regs *regs)
{
	w->is_over = false;
	w->frame = regs ? regs->regs[29] : thread_saved_fp(task);
	w->address = regs ? arch_walk_plain(regs->regs[30]) : thread_saved_pc(task);
}

static inline bool arch_walk_is_over(struct arch_walk *w)
{
	return w->is_over;
}

/* Returns the address at which the frame continues; 0: unknown. */
static inline unsigned long arch_walk_address(struct arch_walk *w)
{
	return w->address;
}

#endif
