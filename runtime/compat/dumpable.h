/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells whether a task's own user may inspect it, by the rules of ptrace(2): not after it
 * had another user's rights. Call it under rcu_read_lock().
 */
#ifndef STP_COMPAT_DUMPABLE_H
#define STP_COMPAT_DUMPABLE_H

#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>

#ifdef STP_HAVE_TASK_EXEC_STATE
#include <linux/sched/exec_state.h>
static inline bool compat_is_dumpable(const struct task_struct *task)
{
	const struct task_exec_state *state = rcu_dereference(task->exec_state);

	return state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
}
#else
/*
 * A task without memory has nothing to hide. Another task may lose its memory at any
 * time, so its lock is taken: callers ask about others in process context only.
 */
static inline bool compat_is_dumpable(const struct task_struct *task)
{
	struct task_struct *other = task == current ? NULL : (struct task_struct *)task;
	bool ret;

	if (other)
		task_lock(other);
	ret = !task->mm || get_dumpable(task->mm) == SUID_DUMP_USER;
	if (other)
		task_unlock(other);
	return ret;
}
#endif

#endif
