/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See namespaces.h. A separate object, linked to scripts that use it. */
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "api.h"
#include "kernel/gate.h"
#include "kernel/namespaces.h"
#include "kernel/rcu.h"

static struct pid_namespace *pids;
static struct user_namespace *users;

static void part_destroy(void)
{
	if (pids)
		put_pid_ns(pids);
	if (users)
		put_user_ns(users);
	pids = NULL;
	users = NULL;
}

/*
 * Finds the task by the number that the loader of the module sees; the process may end at
 * any time.
 */
static struct task_struct *find_task(void)
{
	struct task_struct *task;
	struct pid *pid;

	if (!stp_namespaces_of) {
		get_task_struct(current);
		return current;
	}
	pid = find_get_pid((pid_t)stp_namespaces_of);
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	return task;
}

static int part_create(void)
{
	struct task_struct *task = find_task();

	if (!task)
		return -ESRCH;
	rcu_read_lock();
	pids = task_active_pid_ns(task);
	if (pids)
		get_pid_ns(pids);
	users = get_user_ns(__task_cred(task)->user_ns);
	rcu_read_unlock();
	put_task_struct(task);
	return pids ? 0 : -ESRCH;
}

const struct stp_part stp_namespaces_part = { .create = part_create, .destroy = part_destroy };

/*
 * Reads memory that the runtime has found itself, and whose contents even levels without
 * access to the kernel's memory may see; so it does not use kernel/gate.h.
 */
static uint64_t known(struct stp_ctx *c, uint64_t address, size_t size)
{
	uint64_t value = 0;

	if (copy_from_kernel_nofault(&value, (const void *)(unsigned long)address, size))
		stp_error(c, "read fault [man error::fault] at 0x%llx", address);
	return value;
}
#define LOAD(c, type, address, member)                                                             \
	known(c, (address) + offsetof(type, member), sizeof_field(type, member))

static int64_t number_of(struct stp_ctx *c, uint64_t task, enum pid_type type)
{
	uint64_t pid, number;

	if (type == PIDTYPE_PID)
		pid = LOAD(c, struct task_struct, task, thread_pid);
	else
		pid = LOAD(c, struct signal_struct, LOAD(c, struct task_struct, task, signal),
			   pids[type]);
	/*
	 * An ended task has no number, and a task of an outer namespace is not visible
	 * from here.
	 */
	if (stp_failed(c) || !pid || (uint32_t)LOAD(c, struct pid, pid, level) < pids->level)
		return 0;
	number = pid + offsetof(struct pid, numbers) + pids->level * sizeof(struct upid);
	return (uint64_t)LOAD(c, struct upid, number, ns) == (unsigned long)pids
		       ? (uint32_t)LOAD(c, struct upid, number, nr)
		       : 0;
}

int64_t stp_ns_pid(struct stp_ctx *c, uint64_t task, enum pid_type type)
{
	int64_t ret = 0;

	if (task != (unsigned long)current && !stp_gate_kernel())
		stp_error(c, STP_GATE_KERNEL);
	else if (stp_rcu_begin()) {
		ret = number_of(c, task, type);
		stp_rcu_end();
	}
	return ret;
}

int64_t stp_ns_parent(struct stp_ctx *c)
{
	uint64_t parent;
	int64_t ret = 0;

	if (!stp_rcu_begin())
		return 0;
	if (pid_alive(current)) {
		parent = (unsigned long)rcu_dereference(current->real_parent);
		ret = number_of(c, parent, PIDTYPE_TGID);
	}
	stp_rcu_end();
	return ret;
}

int64_t stp_ns_user(uint32_t uid)
{
	return from_kuid_munged(users, KUIDT_INIT(uid));
}

int64_t stp_ns_group(uint32_t gid)
{
	return from_kgid_munged(users, KGIDT_INIT(gid));
}
