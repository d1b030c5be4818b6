/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/cred.h>
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/user_namespace.h>

#include "api.h"
#include "compat/dumpable.h"
#include "core/session.h"
#include "kernel/rcu.h"
#include "kernel/target.h"
#include "kernel/taskfilter.h"

#define ANCESTORS 64 /* generations */

/*
 * The parent of an ended task may be gone. Ancestors of other tasks stay under RCU.
 */
static bool is_below(const struct task_struct *task, int64_t pid)
{
	bool found = false;

	if (!stp_rcu_begin())
		return false;
	for (unsigned int i = 0; i < ANCESTORS && pid_alive(task) && task->pid > 1 && !found; i++) {
		found = task->tgid == pid;
		task = rcu_dereference(task->real_parent);
	}
	stp_rcu_end();
	return found;
}

/*
 * True: it has rights that its user does not have; rights within the user's own namespace
 * do not count.
 */
static bool has_capabilities(const struct cred *cred)
{
	return cred->user_ns == &init_user_ns && !cap_isclear(cred->cap_permitted);
}

/*
 * A task that has or had another user's rights, such as a set-uid program, may know
 * secrets from its own user: ptrace(2) makes the same test.
 */
static bool is_own(const struct task_struct *task)
{
	kuid_t owner = KUIDT_INIT(stp_owner);
	const struct cred *cred;
	bool own;

	if (!stp_rcu_begin())
		return false;
	cred = __task_cred(task);
	/* Root may examine processes that nobody else may. */
	own = uid_eq(cred->uid, owner) && uid_eq(cred->euid, owner) && uid_eq(cred->suid, owner) &&
	      gid_eq(cred->gid, cred->egid) && gid_eq(cred->gid, cred->sgid) &&
	      (!stp_owner || (compat_is_dumpable(task) && !has_capabilities(cred)));
	stp_rcu_end();
	return own && !(task->flags & PF_KTHREAD);
}

/* In an interrupt, the current task is accidental. */
bool stp_is_own_process(void)
{
	return !in_interrupt() && is_own(current);
}

/*
 * The target itself is compared first, because it is usually the task that hits the
 * breakpoint.
 */
static bool is_in_target(const struct task_struct *task)
{
	int64_t target = stp_target();

	return !target || task->tgid == target || is_below(task, target);
}

bool stp_is_meant(const struct task_struct *task, int64_t pid)
{
	if (stp_script.own_only && !is_own(task))
		return false;
	return pid ? task->tgid == pid : is_in_target(task);
}

static bool is_in_group(void)
{
	bool passes;

	if (!stp_taskfilter.group)
		return true;
	if (!stp_rcu_begin())
		return false;
	passes = stp_taskfilter_passes();
	stp_rcu_end();
	return passes;
}

/*
 * Excludes other tasks from probes to which the run's filter does not apply (unfiltered).
 */
bool stp_is_in_target(void)
{
	return is_in_group() &&
	       (stp_target() ? is_below(current, stp_target()) : !stp_is_of_run(current->tgid));
}

int64_t stp_run_cgroup(void)
{
	return (int64_t)(unsigned long)stp_taskfilter.group;
}

bool stp_target_waits(void)
{
	const struct task_struct *task;
	bool waits;

	rcu_read_lock();
	task = stp_target() ? pid_task(find_pid_ns(stp_target(), &init_pid_ns), PIDTYPE_TGID)
			    : NULL;
	waits = task && rcu_dereference(task->real_parent)->tgid == stp_reader();
	rcu_read_unlock();
	return waits;
}

/*
 * For a file of an overlay, returns the overlay's inode, not that of the file below:
 * mm->exe_file has the overlay's, too.
 */
const struct inode *stp_program_of(const struct mm_struct *mm)
{
	const struct inode *inode = NULL;
	const struct file *file;

	rcu_read_lock();
	file = mm ? rcu_dereference(mm->exe_file) : NULL;
	if (file)
		inode = file_inode(file);
	rcu_read_unlock();
	return inode;
}

void stp_program_find(const char *path, struct stp_file *ret)
{
	struct file *file = stp_file_open(path);

	if (IS_ERR(file))
		return;
	stp_file_hold(ret, &file->f_path, file_inode(file));
	filp_close(file, NULL);
}
