/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel as api.h, core/ and embedded C see it: the kernel's headers, and the names
 * that core/port.h requires from this header. Every module is compiled against it, so it
 * includes only headers that typical embedded C needs. The build precompiles it.
 */
#ifndef STP_KERNEL_ENV_H
#define STP_KERNEL_ENV_H

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/mm.h>
#include <linux/sched/task_stack.h>
#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/pid.h>
#include <linux/nsproxy.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include <linux/ptrace.h>

#include "stp_facts.h" /* made by the build: compat/facts.def */

#define PORT_SYMBOL_BYTES KSYM_SYMBOL_LEN

#ifndef INT64_MAX
#define INT64_MAX S64_MAX
#endif
#ifndef INT64_MIN
#define INT64_MIN S64_MIN
#endif
#ifndef UINT64_MAX
#define UINT64_MAX U64_MAX
#endif
#ifndef INT32_MAX
#define INT32_MAX S32_MAX
#endif
#ifndef INT32_MIN
#define INT32_MIN S32_MIN
#endif
#ifndef UINT32_MAX
#define UINT32_MAX U32_MAX
#endif
#ifndef UINT16_MAX
#define UINT16_MAX U16_MAX
#endif

static inline bool try_cmpxchg32(int32_t *p, int32_t *old, int32_t new)
{
	return try_cmpxchg(p, old, new);
}
/* Older kernels have one name for all widths. */
#ifndef try_cmpxchg64
#define try_cmpxchg64(p, old, new) try_cmpxchg(p, old, new)
#endif

/*
 * In generated C: lets the global stp_script.globals[index] be set when the module is
 * loaded, as name=value. Numbers may be decimal, octal (0…) or hexadecimal (0x…), with a
 * sign.
 */
#define STP_PARAM(name, index)                                                                     \
	module_param_cb(name, &stp_param_ops, (void *)(unsigned long)(index), 0)
extern struct kernel_param_ops stp_param_ops;

/*
 * Marks the module with the group of users that the script is for (uapi/privilege.h).
 * staprun reads the mark.
 */
#define STP_MARK(level) MODULE_INFO(stap_privilege, level)

#endif
