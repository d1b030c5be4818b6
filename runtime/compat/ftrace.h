/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace callbacks. Kernels with DYNAMIC_FTRACE_WITH_ARGS pass every callback the
 * argument registers, the stack pointer and the instruction pointer; older ones need
 * SAVE_REGS for that, which costs about twice as much.
 */
#ifndef STP_COMPAT_FTRACE_H
#define STP_COMPAT_FTRACE_H

#include <linux/ftrace.h>

#include "stp_facts.h"

#ifdef STP_HAVE_FTRACE_REGS
typedef struct ftrace_regs compat_ftrace_regs;
#else
typedef struct pt_regs compat_ftrace_regs;
#endif

#if defined(STP_HAVE_FTRACE_REGS) && defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
#define COMPAT_FTRACE_FLAGS 0
#else
#define COMPAT_FTRACE_FLAGS FTRACE_OPS_FL_SAVE_REGS
#endif

/* Flag that additionally saves all registers. 0: the kernel cannot. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
#define COMPAT_FTRACE_ALL_REGISTERS FTRACE_OPS_FL_SAVE_REGS
#else
#define COMPAT_FTRACE_ALL_REGISTERS 0
#endif

#include "arch_ftrace.h"

/*
 * Makes ops trace these addresses and no others; fails if ftrace does not know one of
 * them.
 */
static inline int compat_ftrace_set(struct ftrace_ops *ops, unsigned long *ips, unsigned int n)
{
#ifdef STP_HAVE_FTRACE_SET_FILTER_IPS
	return ftrace_set_filter_ips(ops, ips, n, 0, 1);
#else
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++)
		ret = ftrace_set_filter_ip(ops, ips[i], 0, !i);
	return ret;
#endif
}

/* Frees the addresses; ops must not be registered. */
static inline void compat_ftrace_forget(struct ftrace_ops *ops)
{
#ifdef STP_HAVE_FTRACE_FREE_FILTER
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

/* ---- direct calls, for wrappers of functions ---- */

#if defined(STP_HAVE_FTRACE_DIRECT_OPS) || defined(STP_HAVE_FTRACE_DIRECT_MULTI)
/* Has ftrace call `code` directly where ops has its filter. */
static inline int compat_ftrace_direct(struct ftrace_ops *ops, unsigned long code)
{
#ifdef STP_HAVE_FTRACE_DIRECT_MULTI
	return register_ftrace_direct_multi(ops, code);
#else
	return register_ftrace_direct(ops, code);
#endif
}

/* Ends that, and forgets the filter. */
static inline void compat_ftrace_direct_end(struct ftrace_ops *ops, unsigned long code)
{
#ifdef STP_HAVE_FTRACE_DIRECT_MULTI
	unregister_ftrace_direct_multi(ops, code);
	ftrace_free_filter(ops);
#else
	unregister_ftrace_direct(ops, code, true);
#endif
}
#endif

#endif
