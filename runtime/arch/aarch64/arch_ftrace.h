/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that ftrace passes to a callback; only compat/ftrace.h includes this file. */
#ifndef STP_ARCH_FTRACE_H
#define STP_ARCH_FTRACE_H

/*
 * Kernels with CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS could call the ftrace_ops of an entry
 * at once. That has not been tried; others walk a list of all.
 */
#define ARCH_FTRACE_CALLS_OWN 0

/* Without WITH_REGS ftrace saves arguments, fp, lr, sp and pc in its own format. */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && !defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define ARCH_FTRACE_IS_PARTIAL
#ifdef STP_HAVE_ARCH_FTRACE_REGS
#define ARCH_FTRACE_SAVED(regs) arch_ftrace_regs(regs)
#else
#define ARCH_FTRACE_SAVED(regs) (regs)
#endif
#endif

/* Room for registers, if the kernel does not pass a struct pt_regs. */
struct arch_ftrace_room {
#ifdef ARCH_FTRACE_IS_PARTIAL
	struct pt_regs regs;
#endif
};

/*
 * Returns the registers that a callback may read and change: those of arguments, fp, lr,
 * sp and pc. The others are undefined, unless all were requested.
 */
static inline struct pt_regs *arch_ftrace_begin(compat_ftrace_regs *regs,
						struct arch_ftrace_room *room)
{
#ifdef ARCH_FTRACE_IS_PARTIAL
	memcpy(room->regs.regs, ARCH_FTRACE_SAVED(regs)->regs,
	       sizeof(ARCH_FTRACE_SAVED(regs)->regs));
	room->regs.regs[29] = ARCH_FTRACE_SAVED(regs)->fp;
	room->regs.regs[30] = ARCH_FTRACE_SAVED(regs)->lr;
	room->regs.sp = ARCH_FTRACE_SAVED(regs)->sp;
	room->regs.pc = ARCH_FTRACE_SAVED(regs)->pc;
	room->regs.pstate = PSR_MODE_EL1h;
	return &room->regs;
#else
#ifdef STP_HAVE_FTRACE_REGS
	struct pt_regs *r = ftrace_get_regs(regs);
#else
	struct pt_regs *r = regs;
#endif
	/* ftrace leaves its old value from the stack there, perhaps that of a program. */
	r->pstate = PSR_MODE_EL1h;
	return r;
#endif
}

/* Writes changes back: arguments; a return address, which a return probe replaces. */
static inline void arch_ftrace_end(compat_ftrace_regs *regs, struct arch_ftrace_room *room)
{
#ifdef ARCH_FTRACE_IS_PARTIAL
	memcpy(ARCH_FTRACE_SAVED(regs)->regs, room->regs.regs,
	       sizeof(ARCH_FTRACE_SAVED(regs)->regs));
	ARCH_FTRACE_SAVED(regs)->lr = room->regs.regs[30];
#endif
}

#endif
