/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.….process("p"): events of the tasks that run a program, an event of each task. The
 * kernel makes them where sleeping is allowed:
 *
 *   when the script begins   for the tasks that are there
 *   sched_process_fork       for the new task, on its first way to user mode (task_work)
 *   sched_process_exec       the same, for the task that has a new program
 *   sched_process_exit       a worker takes them back
 *
 * A table of fixed size lists the tasks that have events: nothing is allocated when tasks
 * come and go, except by the kernel for the events themselves.
 */
#include <linux/delay.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "api.h"
#include "compat/process.h"
#include "core/session.h"
#include "kernel/file.h"
#include "kernel/deferral.h"
#include "kernel/target.h"
#include "probe/perf.h"
#include "probe/process_table.h"
#include "probe/sources.h"

#define PLACES_LEAST 4096

struct perftask_point {
	const struct stp_probe *probe;
	struct perftask_point *next;
	unsigned int index;
	struct stp_file program;
	atomic64_t nmissed; /* tasks without an event */
};

/* A task with events, next to its place in the table. */
struct counted {
	struct task_struct *task; /* held; NULL: free */
	struct callback_head work;
	struct llist_node gone_node;
	bool pending; /* the task has not reached its work yet */
	bool gone;
	struct perf_event *events[];
};

static struct {
	struct perftask_point *first;
	unsigned int npoints;
	struct process_table table;
	void *counted;
	struct mutex lock; /* for the events; a live task reads its own without it */
	struct llist_head gone;
	struct work_struct collect;
	atomic_t npending; /* works, plus one until remove(): the last one frees `counted` */
	bool ended;	   /* under the lock: late works do nothing */
} tasks;

static const struct stp_point_perf *point_of(const struct perftask_point *p)
{
	return p->probe->point;
}

static size_t counted_size(void)
{
	return struct_size((struct counted *)NULL, events, tasks.npoints);
}

static struct counted *counted_at(const struct process *place)
{
	return place ? tasks.counted + (place - tasks.table.places) * counted_size() : NULL;
}

static struct counted *counted_find(const struct task_struct *task)
{
	return counted_at(process_find(&tasks.table, task));
}

/* ---- tasks that match the points ---- */

static bool is_user(const struct task_struct *task)
{
	return !(task->flags & COMPAT_PF_KERNEL) && task->self_exec_id;
}

static bool is_meant(const struct perftask_point *p, const struct task_struct *task,
		     const struct inode *program)
{
	return p->program.inode == program && stp_is_meant(task, 0);
}

static bool is_counted(const struct task_struct *task, const struct inode *program)
{
	for (const struct perftask_point *p = tasks.first; p && is_user(task); p = p->next)
		if (is_meant(p, task, program))
			return true;
	return false;
}

/* Returns the task's place, and takes one if it has none; NULL: there is none. */
static struct counted *counted_take(struct task_struct *task, const struct inode *program)
{
	struct counted *c = counted_at(process_put(&tasks.table, task, program, false));

	if (c && !cmpxchg(&c->task, NULL, task))
		get_task_struct(task);
	for (struct perftask_point *p = tasks.first; p && !c; p = p->next)
		if (is_meant(p, task, program))
			atomic64_inc(&p->nmissed);
	return c;
}

/* ---- events ---- */

static void fired(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct perftask_point *p = event->overflow_handler_context;

	p->probe->hit(p->probe, regs, NULL, NULL);
}

static struct perf_event *event_create(struct perftask_point *p, struct task_struct *task,
				       bool disabled)
{
	const struct stp_point_perf *point = point_of(p);
	struct perf_event_attr attr = {
		.type = point->type,
		.size = sizeof(attr),
		.config = point->config,
		.freq = point->is_rate,
		.disabled = disabled,
	};

	if (point->is_rate)
		attr.sample_freq = point->period;
	else if (!point->counter)
		attr.sample_period = point->period;
	return perf_event_create_kernel_counter(&attr, -1, task, point->counter ? NULL : fired, p);
}

static void event_settle(struct counted *c, struct perftask_point *p, const struct inode *program)
{
	bool wanted = program && is_meant(p, c->task, program);
	struct perf_event *event = c->events[p->index];

	if (wanted == !!event)
		return;
	if (wanted) {
		event = event_create(p, c->task, false);
		if (IS_ERR(event) && PTR_ERR(event) != -ESRCH) /* it is ending */
			atomic64_inc(&p->nmissed);
		c->events[p->index] = IS_ERR(event) ? NULL : event;
		return;
	}
	c->events[p->index] = NULL;
	perf_event_release_kernel(event);
}

/*
 * Makes the events for the task's program; none if the task has ended. Called under the
 * lock.
 */
static void counted_settle(struct counted *c)
{
	const struct inode *program = NULL;

	task_lock(c->task);
	if (c->task->mm && !(c->task->flags & PF_EXITING))
		program = stp_program_of(c->task->mm);
	task_unlock(c->task);
	for (struct perftask_point *p = tasks.first; p; p = p->next)
		event_settle(c, p, program);
}

int64_t stp_task_counter(uint32_t number)
{
	const struct counted *c = counted_find(current);
	u64 enabled, running;

	for (const struct perftask_point *p = tasks.first; p && c; p = p->next)
		if (point_of(p)->counter == number && c->events[p->index])
			return perf_event_read_value(c->events[p->index], &enabled, &running);
	return 0;
}

/* ---- tasks that come and go ---- */

/* A task that has not reached its work yet calls again. */
static void run_collect(struct work_struct *work)
{
	struct counted *c, *next;

	mutex_lock(&tasks.lock);
	llist_for_each_entry_safe(c, next, llist_del_all(&tasks.gone), gone_node) {
		struct task_struct *task = c->task;

		if (READ_ONCE(c->pending)) {
			llist_add(&c->gone_node, &tasks.gone);
			continue;
		}
		counted_settle(c);
		c->gone = false;
		smp_store_release(&c->task, NULL);
		process_drop(&tasks.table, process_find(&tasks.table, task));
		put_task_struct(task);
	}
	mutex_unlock(&tasks.lock);
}

static void pending_end(void)
{
	if (atomic_dec_and_test(&tasks.npending))
		kvfree(tasks.counted);
}

static void run_settle(struct callback_head *work)
{
	struct counted *c = container_of(work, struct counted, work);

	mutex_lock(&tasks.lock);
	WRITE_ONCE(c->pending, false);
	if (!tasks.ended)
		counted_settle(c);
	if (!tasks.ended && READ_ONCE(c->gone))
		schedule_work(&tasks.collect);
	mutex_unlock(&tasks.lock);
	pending_end();
	stp_deferral_end();
}

static void settle_soon(struct task_struct *task, const struct inode *program)
{
	struct counted *c = counted_take(task, program);

	if (!c || c->pending)
		return;
	c->pending = true;
	atomic_inc(&tasks.npending);
	init_task_work(&c->work, run_settle);
	if (stp_deferral_add(task, &c->work, TWA_RESUME))
		return;
	c->pending = false;
	atomic_dec(&tasks.npending);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct inode *program = stp_program_of(parent->mm);

	if (is_counted(child, program))
		settle_soon(child, program);
}

static void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	const struct inode *program = stp_program_of(current->mm);

	if (is_counted(current, program) || counted_find(current))
		settle_soon(current, program);
}

/* True the first time only. */
static bool note_gone(struct counted *c)
{
	if (xchg(&c->gone, true))
		return false;
	llist_add(&c->gone_node, &tasks.gone);
	return true;
}

static void on_exit(void *data, struct task_struct *task COMPAT_GROUP_DEAD)
{
	struct counted *c = counted_find(current);

	if (c && note_gone(c))
		schedule_work(&tasks.collect);
}

static struct source heard[] = {
	{ SOURCE(sched_process_fork, on_fork), .wanted = true },
	{ SOURCE(sched_process_exec, on_exec), .wanted = true },
	{ SOURCE(sched_process_exit, on_exit), .wanted = true },
};

static struct sources sources = { heard, ARRAY_SIZE(heard) };

/* ---- existing tasks ---- */

/*
 * Handles an existing task. If it is ending now, its end was already reported, or will
 * find its place.
 */
static void take_present(struct task_struct *task)
{
	const struct inode *program = NULL;
	struct counted *c;

	task_lock(task);
	if (task->mm && is_user(task))
		program = stp_program_of(task->mm);
	task_unlock(task);
	c = program && is_counted(task, program) ? counted_take(task, program) : NULL;
	smp_mb();
	if (c && READ_ONCE(task->flags) & PF_EXITING)
		note_gone(c);
}

static void settle_present(void)
{
	struct task_struct *process, *task;
	bool waits = stp_target_waits();

	rcu_read_lock();
	for_each_process_thread(process, task)
		if (!(waits && task->tgid == stp_target()))
			take_present(task);
	rcu_read_unlock();
	mutex_lock(&tasks.lock);
	for (unsigned int i = 0; i < 1u << tasks.table.bits; i++) {
		struct process *place = &tasks.table.places[i];

		if (smp_load_acquire(&place->key) && counted_at(place)->task &&
		    !READ_ONCE(counted_at(place)->gone))
			counted_settle(counted_at(place));
	}
	mutex_unlock(&tasks.lock);
	schedule_work(&tasks.collect);
}

/* ---- the family ---- */

static int point_add(struct perftask_point *p)
{
	struct perf_event *event;

	stp_program_find(point_of(p)->program, &p->program);
	if (!p->program.inode) {
		stp_setup_error("%s: the program cannot be opened", p->probe->pp);
		return -ENOENT;
	}
	event = event_create(p, current, true);
	if (IS_ERR(event)) {
		stp_setup_error("%s: %s (error %ld)", p->probe->pp, perf_refusal(PTR_ERR(event)),
				-PTR_ERR(event));
		return PTR_ERR(event);
	}
	perf_event_release_kernel(event);
	return 0;
}

/* Makes a table for four times the tasks that are there now. */
static int table_create(void)
{
	const struct task_struct *process, *task;
	unsigned int n = 0;
	int ret;

	rcu_read_lock();
	for_each_process_thread(process, task)
		n++;
	rcu_read_unlock();
	ret = process_table_create(&tasks.table, max_t(unsigned int, PLACES_LEAST, 4 * n));
	if (!ret)
		tasks.counted = kvcalloc(1u << tasks.table.bits, counted_size(), GFP_KERNEL);
	return ret ?: tasks.counted ? 0 : -ENOMEM;
}

static void counted_release(struct counted *c)
{
	for (unsigned int i = 0; i < tasks.npoints; i++)
		if (c->events[i])
			perf_event_release_kernel(c->events[i]);
	if (c->task)
		put_task_struct(c->task);
}

/*
 * Waits for the works. On its way to user mode, a new task writes its number to memory of
 * the program, where the owner of that memory can delay it for any time. Its work finds
 * nothing to do then.
 */
static void works_end(void)
{
	unsigned long until = jiffies + msecs_to_jiffies(STP_DEFERRAL_PATIENCE_MS);

	while (atomic_read(&tasks.npending) > 1 && time_before(jiffies, until))
		msleep(1);
	mutex_lock(&tasks.lock);
	tasks.ended = true;
	mutex_unlock(&tasks.lock);
	cancel_work_sync(&tasks.collect);
	if (atomic_read(&tasks.npending) > 1)
		stp_setup_warning("a task that perf counters are for does not come to user mode: "
				  "the module stays until it does");
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	sources_remove(&sources);
	works_end();
	for (unsigned int i = 0; tasks.counted && i < 1u << tasks.table.bits; i++) {
		counted_release(counted_at(&tasks.table.places[i]));
		cond_resched();
	}
	for (unsigned int i = 0; i < n; i++)
		stp_file_release(&((struct perftask_point *)states[i])->program);
	process_table_free(&tasks.table);
	pending_end();
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret;

	mutex_init(&tasks.lock);
	init_llist_head(&tasks.gone);
	INIT_WORK(&tasks.collect, run_collect);
	atomic_set(&tasks.npending, 1);
	tasks.npoints = n;
	ret = table_create();
	for (unsigned int i = 0; i < n && !ret; i++) {
		struct perftask_point *p = states[i];

		p->probe = probes[i];
		p->index = i;
		p->next = tasks.first;
		tasks.first = p;
		ret = point_add(p);
	}
	if (!ret)
		ret = sources_add(&sources, "counters of programs");
	if (!ret)
		settle_present();
	else
		remove(probes, states, n);
	return ret;
}

static uint64_t missed(const struct stp_probe *p, void *state)
{
	return atomic64_read(&((struct perftask_point *)state)->nmissed);
}

static bool lacks_registers(const struct stp_probe *p)
{
	return perf_lacks_registers(p->point);
}

static const char *type(const struct stp_probe *p)
{
	return "perf_event";
}

const struct stp_family stp_family_perftask = {
	.name = "perftask",
	.state_size = sizeof(struct perftask_point),
	.add = add,
	.remove = remove,
	.missed = missed,
	.lacks_registers = lacks_registers,
	.type = type,
};
