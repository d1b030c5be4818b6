/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that ftrace passes to a callback; only compat/ftrace.h includes this file. */
#ifndef STP_ARCH_FTRACE_H
#define STP_ARCH_FTRACE_H

/*
 * Each ftrace_ops gets code of its own, which calls its function directly, as long as no
 * other ftrace_ops has the same entry.
 */
#define ARCH_FTRACE_CALLS_OWN 1

#if defined(STP_HAVE_ARCH_FTRACE_REGS)
static_assert(!offsetof(struct __arch_ftrace_regs, regs), "see ARCH_FTRACE_BEGINS_WITH_REGS");
#elif defined(STP_HAVE_FTRACE_REGS) && defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
static_assert(!offsetof(struct ftrace_regs, regs), "see ARCH_FTRACE_BEGINS_WITH_REGS");
#endif

/* Room for registers, if the kernel does not pass a struct pt_regs. */
struct arch_ftrace_room {
};

/*
 * Returns the registers that a callback may read and change: those of arguments, sp and
 * ip. The others are undefined, unless all were requested.
 */
static inline struct pt_regs *arch_ftrace_begin(compat_ftrace_regs *regs,
						struct arch_ftrace_room *room)
{
#if !defined(STP_HAVE_FTRACE_REGS)
	return regs;
#elif !defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
	return ftrace_get_regs(regs);
#elif defined(STP_HAVE_ARCH_FTRACE_REGS)
	return &arch_ftrace_regs(regs)->regs;
#else
	return &regs->regs;
#endif
}

/* Writes changes back. */
static inline void arch_ftrace_end(compat_ftrace_regs *regs, struct arch_ftrace_room *room)
{
}

#endif
