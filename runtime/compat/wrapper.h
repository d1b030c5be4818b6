/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STP_WRAPS: functions can be called by wrappers (arch_wrapper.h). ftrace calls an
 * address directly, and the kernel's unwinder reads objtool's tables.
 */
#ifndef STP_COMPAT_WRAPPER_H
#define STP_COMPAT_WRAPPER_H

#include "arch_ops.h"

#ifdef __KERNEL__
#include "stp_facts.h"
#if defined(ARCH_HAS_WRAPPERS) &&                                                                  \
	(defined(STP_HAVE_FTRACE_DIRECT_OPS) || defined(STP_HAVE_FTRACE_DIRECT_MULTI)) &&          \
	defined(STP_HAVE_FTRACE_REGS) && defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) &&          \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && defined(CONFIG_UNWINDER_ORC)
#define STP_WRAPS
#include "arch_wrapper.h"
#endif
#endif

#endif
