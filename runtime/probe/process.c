/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.begin .end .thread.begin .thread.end .syscall .syscall.return: the life of user
 * processes, by the kernel's tracepoints; handlers run in the process that they report.
 *
 *   sched_process_exec    end of the old program, begin of the new one
 *   sched_process_fork    in the parent: notes which program the child runs, and that its
 *                         begin is due where the next event leaves the child out
 *   sys_enter             syscall
 *   sys_exit              syscall.return; of clone() in the child: begin or thread.begin,
 *                         before it runs anything of its own
 *   sched_process_exit    thread.end; with the last thread: end
 *   (task work)           of a child: begin or thread.begin, if that is due
 *
 * A process that exists before the script begins has its begin when it is first seen: on
 * a CPU, entering or leaving the kernel, at its end at the latest.
 *
 * At a process's end its memory is gone (in some kernels not yet), and with it the file
 * of its program. A table keeps the data needed later, by the process's signal_struct:
 * all threads share it and it stays through exec.
 */
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <asm/syscall.h>
#include <asm/unistd.h>
#include <trace/events/syscalls.h>

#include "api.h"
#include "arch_syscall.h"
#include "compat/process.h"
#include "core/session.h"
#include "kernel/file.h"
#include "kernel/target.h"
#include "probe/process_child.h"
#include "probe/process_table.h"
#include "probe/sources.h"

#define PLACES_LEAST 16384

struct process_point {
	const struct stp_probe *probe;
	struct process_point *next; /* of the same event */
	struct stp_file program;    /* empty: any */
	int64_t pid;		    /* stp_process_number() of the point's process */
	atomic64_t nmissed;
};

static struct {
	struct process_point *points[STP_PROCESS_EVENTS];
	struct process_table table;
	bool scanning; /* for existing processes */
	struct delayed_work look;
	unsigned long patience; /* jiffies until the CPUs are checked again */
	bool target_waits;	/* the command of -c: a copy of stapio until its exec */
} processes;

/* Used where !ARCH_CHILD_LEAVES_CALL. */
static struct process_children children;

static const struct stp_point_process *point_of(const struct process_point *p)
{
	return p->probe->point;
}

/* ---- processes that match the points ---- */

/*
 * True for tasks of users. Threads of the kernel, and threads that the kernel adds to a
 * process, run no program; nor does a helper of the kernel before its exec.
 */
static bool is_user(const struct task_struct *task)
{
	return !(task->flags & COMPAT_PF_KERNEL) && task->self_exec_id;
}

static bool is_meant(const struct process_point *p, const struct task_struct *task,
		     const struct inode *program)
{
	if (p->program.inode && p->program.inode != program)
		return false;
	if (READ_ONCE(processes.target_waits) && task->tgid == stp_target())
		return false;
	return stp_is_meant(task, p->pid);
}

/* Reports the event to all points that match the current process. */
static void tell(enum stp_process_event event, const struct inode *program, struct pt_regs *regs,
		 const int64_t *args)
{
	for (struct process_point *p = processes.points[event]; p; p = p->next)
		if (is_meant(p, current, program))
			p->probe->hit(p->probe, regs, args, NULL);
}

static const enum stp_process_event asked_late[] = { STP_PROCESS_END, STP_THREAD_END };

/* True: some point will need to know later that a process ran the program. */
static bool is_tracked(const struct inode *program)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(asked_late); i++)
		for (const struct process_point *p = processes.points[asked_late[i]]; p;
		     p = p->next)
			if (p->program.inode && p->program.inode == program)
				return true;
	return false;
}

static void count_missed(const struct inode *program)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(asked_late); i++)
		for (struct process_point *p = processes.points[asked_late[i]]; p; p = p->next)
			if (p->program.inode == program)
				atomic64_inc(&p->nmissed);
}

/*
 * Notes the program of a new process, or of one with a new program; an older entry under
 * its key is stale.
 */
static void note_program(const void *key, const struct inode *program)
{
	struct process *p = process_find(&processes.table, key);

	if (!p && is_tracked(program)) {
		p = process_put(&processes.table, key, program, false);
		if (!p)
			count_missed(program);
	}
	if (!p)
		return;
	p->ended = false;
	WRITE_ONCE(p->program, program);
}

/* ---- events ---- */

static void begin_if_due(struct process *known, enum stp_process_event event, struct pt_regs *regs)
{
	if (process_is_due(&processes.table, known))
		tell(event, known->program, regs, NULL);
}

static void begin_if_seen_first(struct pt_regs *regs)
{
	if (!atomic_read(&processes.table.ndue))
		return;
	begin_if_due(process_find(&processes.table, current->signal), STP_PROCESS_BEGIN, regs);
	if (!thread_group_leader(current))
		begin_if_due(process_find(&processes.table, current), STP_THREAD_BEGIN, regs);
}

/* True: clone() or a similar call returns in the child for the first time. */
static bool is_child(const struct pt_regs *regs, long ret)
{
	return !ret && arch_syscall_clones(regs);
}

/*
 * Reports the begin of a child. Its place in the table is noted as not due, so that a
 * search for older processes, whenever it runs, does not take the child for one of them.
 */
static void begin_child(struct pt_regs *regs)
{
	bool is_thread = !thread_group_leader(current);
	const void *key = is_thread ? (const void *)current : current->signal;
	const struct inode *program = stp_program_of(current->mm);
	struct process *known = process_find(&processes.table, key);

	if (!known && READ_ONCE(processes.scanning))
		known = process_put(&processes.table, key, program, false);
	process_is_due(&processes.table, known);
	tell(is_thread ? STP_THREAD_BEGIN : STP_PROCESS_BEGIN, program, regs, NULL);
}

static void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	struct process *known = process_find(&processes.table, current->signal);
	const struct inode *before = known ? known->program : NULL;
	struct pt_regs *regs = task_pt_regs(current);
	bool is_target = READ_ONCE(processes.target_waits) && current->tgid == stp_target();

	if (is_target)
		WRITE_ONCE(processes.target_waits, false);
	begin_if_due(known, STP_PROCESS_BEGIN, regs);
	/*
	 * The value 1 belongs to a helper of the kernel, which becomes a process by this
	 * exec.
	 */
	if (!is_target && current->self_exec_id > 1)
		tell(STP_PROCESS_END, before, regs, NULL);
	note_program(current->signal, stp_program_of(current->mm));
	tell(STP_PROCESS_BEGIN, stp_program_of(current->mm), regs, NULL);
}

static bool begins(enum stp_process_event event, const struct task_struct *task,
		   const struct inode *program)
{
	for (const struct process_point *p = processes.points[event]; p; p = p->next)
		if (is_meant(p, task, program))
			return true;
	return false;
}

static void begin_due_child(void)
{
	begin_if_seen_first(task_pt_regs(current));
}

/* Makes the child report its begin. One without a place reports it like older tasks. */
static void begin_soon(struct task_struct *child, bool is_thread, const struct inode *program)
{
	const void *key = is_thread ? (const void *)child : child->signal;

	if (!is_user(child) ||
	    !begins(is_thread ? STP_THREAD_BEGIN : STP_PROCESS_BEGIN, child, program))
		return;
	if (process_put_due(&processes.table, key, program))
		process_child_add(&children, child);
	else
		count_missed(program);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct inode *program = stp_program_of(parent->mm);
	bool is_thread = child->signal == parent->signal;

	if (!ARCH_CHILD_LEAVES_CALL)
		begin_soon(child, is_thread, program);
	if (!is_thread)
		note_program(child->signal, program);
}

static void on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	unsigned long args[6];
	int64_t told[1 + ARRAY_SIZE(args)] = { id };

	begin_if_seen_first(regs);
	if (!processes.points[STP_SYSCALL])
		return;
	syscall_get_arguments(current, regs, args);
	for (unsigned int i = 0; i < ARRAY_SIZE(args); i++)
		told[1 + i] = args[i];
	tell(STP_SYSCALL, stp_program_of(current->mm), regs, told);
}

static void on_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	const int64_t told[] = { syscall_get_nr(current, regs), ret };

	if (is_child(regs, ret))
		begin_child(regs);
	else
		begin_if_seen_first(regs);
	if (processes.points[STP_SYSCALL_RETURN])
		tell(STP_SYSCALL_RETURN, stp_program_of(current->mm), regs, told);
}

/*
 * True: the process ends with this thread. Several threads may find that they are the
 * last, because each decrements the count before it comes here: the first one reports the
 * end, and only the last to leave clears the place.
 */
static bool is_end(struct process *known)
{
	bool alone = thread_group_empty(current), told;

	if (atomic_read(&current->signal->live))
		return false;
	if (!known && !alone) {
		known = process_put(&processes.table, current->signal, NULL, false);
		if (!known)
			return thread_group_leader(current);
	}
	told = known && xchg(&known->ended, true);
	if (known && alone)
		process_drop(&processes.table, known);
	return !told;
}

static void end_thread(const struct inode *program, struct pt_regs *regs)
{
	struct process *known = process_find(&processes.table, current);

	if (known)
		process_drop(&processes.table, known);
	tell(STP_THREAD_END, program, regs, NULL);
}

static void on_exit(void *data, struct task_struct *task COMPAT_GROUP_DEAD)
{
	struct process *known = process_find(&processes.table, current->signal);
	const struct inode *program = known ? known->program : NULL;
	struct pt_regs *regs = task_pt_regs(current);

	if (!is_user(current))
		return;
	begin_if_seen_first(regs);
	if (!thread_group_leader(current))
		end_thread(program, regs);
	if (is_end(known))
		tell(STP_PROCESS_END, program, regs, NULL);
}

/* ---- tracepoints ---- */

enum { EXEC, FORK, SYS_ENTER, SYS_EXIT, EXIT };

static struct source heard[] = {
	[EXEC] = { SOURCE(sched_process_exec, on_exec) },
	[FORK] = { SOURCE(sched_process_fork, on_fork) },
	[SYS_ENTER] = { SOURCE(sys_enter, on_sys_enter) },
	[SYS_EXIT] = { SOURCE(sys_exit, on_sys_exit) },
	[EXIT] = { SOURCE(sched_process_exit, on_exit) },
};

#define FORK_FOR_BEGIN (ARCH_CHILD_LEAVES_CALL ? 0 : BIT(FORK))

static const unsigned int wanted_by[] = {
	[STP_PROCESS_BEGIN] =
		BIT(EXEC) | BIT(SYS_ENTER) | BIT(SYS_EXIT) | BIT(EXIT) | FORK_FOR_BEGIN,
	[STP_PROCESS_END] = BIT(EXEC) | BIT(FORK) | BIT(EXIT),
	[STP_THREAD_BEGIN] = BIT(SYS_ENTER) | BIT(SYS_EXIT) | BIT(EXIT) | FORK_FOR_BEGIN,
	[STP_THREAD_END] = BIT(EXEC) | BIT(FORK) | BIT(EXIT),
	[STP_SYSCALL] = BIT(SYS_ENTER),
	[STP_SYSCALL_RETURN] = BIT(SYS_EXIT),
};

static struct sources sources = { heard, ARRAY_SIZE(heard) };

/* ---- existing processes ---- */

/*
 * Finds the program of the process: if its first thread has ended, the others still have
 * the memory.
 */
static bool find_program(struct task_struct *process, const struct inode **ret)
{
	struct task_struct *task;
	bool found = false;

	for_each_thread(process, task) {
		task_lock(task);
		found = task->mm && is_user(task);
		if (found)
			*ret = stp_program_of(task->mm);
		task_unlock(task);
		if (found)
			return true;
	}
	return false;
}

static void note_threads(struct task_struct *process, const struct inode *program)
{
	struct task_struct *task;

	for_each_thread(process, task) {
		struct process *p;

		if (thread_group_leader(task) || !is_user(task) ||
		    !begins(STP_THREAD_BEGIN, task, program))
			continue;
		p = process_put(&processes.table, task, program, true);
		smp_mb(); /* its end, announced by the flag, was reported or will find the place */
		if (p && READ_ONCE(task->flags) & PF_EXITING)
			process_drop(&processes.table, p);
	}
}

static void note_present(struct task_struct *process)
{
	const struct inode *program;
	struct process *p;
	bool due;

	if (!find_program(process, &program))
		return;
	note_threads(process, program);
	due = begins(STP_PROCESS_BEGIN, process, program);
	if (!due && !is_tracked(program))
		return;
	p = process_put(&processes.table, process->signal, program, due);
	if (!p)
		count_missed(program);
	smp_mb();
	if (p && !atomic_read(&process->signal->live))
		process_drop(&processes.table, p);
}

static void find_target(void)
{
	processes.target_waits = stp_target_waits();
	heard[EXEC].wanted |= processes.target_waits;
}

/*
 * Reports the begin of processes that are running on the CPUs: this finds one that
 * computes for hours. The pauses between searches get longer and longer.
 */
static void begin_running(void *unused)
{
	if (is_user(current) && !(current->flags & PF_EXITING))
		begin_if_seen_first(task_pt_regs(current));
}

static void look_at_cpus(struct work_struct *work)
{
	if (!atomic_read(&processes.table.ndue))
		return;
	on_each_cpu(begin_running, NULL, 1);
	schedule_delayed_work(to_delayed_work(work), processes.patience);
	processes.patience = min_t(unsigned long, 2 * processes.patience, HZ);
}

static void note_all_present(void)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task)
		note_present(task);
	rcu_read_unlock();
	WRITE_ONCE(processes.scanning, false);
	processes.patience = 1;
	schedule_delayed_work(&processes.look, 0);
}

/* ---- the family ---- */

static int refuse(const struct process_point *p, const char *why, int error)
{
	if (!point_of(p)->optional) {
		stp_setup_error("%s: %s", p->probe->pp, why);
		return error;
	}
	stp_setup_warning("%s: %s; skipped", p->probe->pp, why);
	return 0;
}

static int point_add(struct process_point *p)
{
	enum stp_process_event event = point_of(p)->event;

	if (point_of(p)->path) {
		stp_program_find(point_of(p)->path, &p->program);
		if (!p->program.inode)
			return refuse(p, "the program cannot be opened", -ENOENT);
	}
	p->pid = stp_process_number(point_of(p)->pid);
	if (p->pid < 0)
		return refuse(p, "there is no such process", -ESRCH);
	p->next = processes.points[event];
	processes.points[event] = p;
	for (unsigned int i = 0; i < ARRAY_SIZE(heard); i++)
		heard[i].wanted |= wanted_by[event] & BIT(i);
	return 0;
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	cancel_delayed_work_sync(&processes.look);
	sources_remove(&sources);
	if (!ARCH_CHILD_LEAVES_CALL)
		process_children_end(&children);
	for (unsigned int i = 0; i < n; i++) {
		struct process_point *p = states[i];

		stp_file_release(&p->program);
	}
	process_table_free(&processes.table);
}

/* Makes a table for four times the tasks that are there now. */
static int table_create(void)
{
	const struct task_struct *process, *task;
	unsigned int n = 0;

	rcu_read_lock();
	for_each_process_thread(process, task)
		n++;
	rcu_read_unlock();
	return process_table_create(&processes.table, max_t(unsigned int, PLACES_LEAST, 4 * n));
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret = table_create();

	INIT_DELAYED_WORK(&processes.look, look_at_cpus);
	if (!ARCH_CHILD_LEAVES_CALL)
		children.begin = begin_due_child;
	/* The first one in the script comes first in its list. */
	for (unsigned int i = n; i-- && !ret;) {
		struct process_point *p = states[i];

		p->probe = probes[i];
		ret = point_add(p);
	}
	find_target();
	processes.scanning = true;
	if (!ret)
		ret = sources_add(&sources, "process probes");
	if (!ret)
		note_all_present();
	else
		remove(probes, states, n);
	return ret;
}

static uint64_t missed(const struct stp_probe *p, void *state)
{
	return atomic64_read(&((struct process_point *)state)->nmissed);
}

static const char *type(const struct stp_probe *p)
{
	const struct stp_point_process *point = p->point;

	return point->event == STP_SYSCALL || point->event == STP_SYSCALL_RETURN ? "utrace_syscall"
										 : "utrace";
}

const struct stp_family stp_family_process = {
	.name = "process",
	.state_size = sizeof(struct process_point),
	.add = add,
	.remove = remove,
	.missed = missed,
	.type = type,
};
