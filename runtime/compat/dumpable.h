/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a task's own user may look into it, as ptrace(2) judges: not after it had another's rights. Under rcu_read_lock(). */
#ifndef STP_COMPAT_DUMPABLE_H
#define STP_COMPAT_DUMPABLE_H

#include <linux/sched.h>
#include <linux/sched/coredump.h>

#ifdef STP_HAVE_TASK_EXEC_STATE
#include <linux/sched/exec_state.h>
static inline bool compat_is_dumpable(const struct task_struct *task)
{
	const struct task_exec_state *state = rcu_dereference(task->exec_state);

	return state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
}
#else
/* Of the task itself, or one whose memory is at hand, so that it does not go away. Without memory it has nothing to hide. */
static inline bool compat_is_dumpable(const struct task_struct *task)
{
	struct mm_struct *mm = READ_ONCE(task->mm);

	return !mm || get_dumpable(mm) == SUID_DUMP_USER;
}
#endif

#endif
