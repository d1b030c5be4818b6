/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that ftrace hands to a callback; included by compat/ftrace.h alone. */
#ifndef STP_ARCH_FTRACE_H
#define STP_ARCH_FTRACE_H

/* Room for registers, where the kernel does not hand out a struct pt_regs. */
struct arch_ftrace_room {
};

/*
 * Returns the registers that a callback may look at and change: the arguments', sp and
 * ip. The others hold nothing, unless all were asked for.
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

/* Hands changes back. */
static inline void arch_ftrace_end(compat_ftrace_regs *regs, struct arch_ftrace_room *room)
{
}

#endif
