/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the kernel's stack by the kernel's own unwinder, from registers or a task. */
#ifndef STP_ARCH_STACK_H
#define STP_ARCH_STACK_H

#include <asm/unwind.h>

/*
 * 1: a walk from registers misses no caller. By frame pointers it would miss one at a
 * function's entry, where there is no frame yet.
 */
#define ARCH_WALK_MISSES_NONE IS_ENABLED(CONFIG_UNWINDER_ORC)

struct arch_walk {
	struct unwind_state state;
};

/* Begins the walk. regs NULL: begins where the task sleeps. */
static inline void arch_walk_begin(struct arch_walk *w, struct task_struct *task,
				   struct pt_regs *regs)
{
	unwind_start(&w->state, task, regs, NULL);
}

static inline bool arch_walk_is_over(struct arch_walk *w)
{
	return unwind_done(&w->state);
}

/* Returns the address at which the frame continues; 0: unknown. */
static inline unsigned long arch_walk_address(struct arch_walk *w)
{
	return unwind_get_return_address(&w->state);
}

static inline void arch_walk_next(struct arch_walk *w)
{
	unwind_next_frame(&w->state);
}

#endif
