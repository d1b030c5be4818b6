/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of struct task_struct that have moved, for offsetof(), and a test for a task
 * whose stack cannot go away.
 */
#ifndef STP_COMPAT_TASK_H
#define STP_COMPAT_TASK_H

#include <linux/refcount.h>
#include <linux/sched.h>

#ifdef STP_HAVE_TASK_STATE_UNDERSCORE
#define STP_TASK_STATE __state
#else
#define STP_TASK_STATE state
#endif

#ifdef STP_HAVE_THREAD_INFO_CPU
#define STP_TASK_CPU thread_info.cpu
#else
#define STP_TASK_CPU cpu
#endif

/*
 * Kernels in which tasks do not count the users of their stack free it together with the
 * task.
 */
static inline bool compat_task_has_stack(const struct task_struct *task)
{
#ifdef CONFIG_THREAD_INFO_IN_TASK
	return refcount_read(&task->stack_refcount) != 0;
#else
	return true;
#endif
}

static inline bool compat_task_runs(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu) != 0;
#else
	return task == current;
#endif
}

#endif
