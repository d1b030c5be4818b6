/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/target.h"

#include "api.h"

#define ANCESTORS 64 /* generations */

static bool is_below(const struct task_struct *task, int64_t pid)
{
	bool found = false;

	rcu_read_lock();
	for (unsigned int i = 0; i < ANCESTORS && task->pid > 1 && !found; i++) {
		found = task->tgid == pid;
		task = rcu_dereference(task->real_parent);
	}
	rcu_read_unlock();
	return found;
}

bool stp_is_meant(const struct task_struct *task, int64_t pid)
{
	if (pid)
		return task->tgid == pid;
	return !stp_target() || is_below(task, stp_target());
}
