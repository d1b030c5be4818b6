/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holding back the tasks that fill a ring faster than it is read. A hit that has filled
 * half of its ring requests it (port_hold_task()); the task then waits on its way back to
 * user mode, where it holds no kernel resources, until there is room again. Its output
 * until then goes to the other half of the ring.
 *
 * Kernel threads, the reader itself, and hits in interrupts (where the current task is
 * accidental) are not held. Nobody is held once the reader has taken nothing for
 * PATIENCE_MS, because it may be waiting for one of the held tasks.
 *
 * A task that was asked to wait holds the module, because its work is code of the module.
 * If it sleeps in a system call for a long time, the module could not be removed for that
 * time. So when the script ends, an empty work interrupts the sleep; the system call
 * continues, or is restarted.
 */
#include <linux/atomic.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "api.h"
#include "core/ring.h"
#include "core/session.h"
#include "kernel/control.h"
#include "kernel/deferral.h"
#include "kernel/throttle.h"

#define PATIENCE_MS 10000
/*
 * Limit of tasks that are about to be held at the same time. A task that finds no free
 * place is not held.
 */
#define PLACES 256

struct hold {
	struct callback_head work, call;
	struct task_struct *task; /* NULL: the place is free */
	unsigned int ring;
};

static struct {
	struct hold places[PLACES];
	bool ended;
	/* In jiffies: the last time that the reader took something, plus PATIENCE_MS. */
	unsigned long patient_until;
	u64 taken; /* read position of the reader at the last check */
} throttle;

static u64 taken_by_reader(void)
{
	u64 sum = 0;

	for (unsigned int i = 0; i < stp_session_nrings(); i++) {
		struct stp_ring *r = stp_session_ring(i);

		sum += r ? READ_ONCE(r->tail) : 0;
	}
	return sum;
}

/*
 * Every waiting task checks this: it does not matter which one writes the two words last.
 */
static bool reader_is_alive(void)
{
	u64 taken = taken_by_reader();

	if (taken != READ_ONCE(throttle.taken) || !READ_ONCE(throttle.patient_until)) {
		WRITE_ONCE(throttle.taken, taken);
		WRITE_ONCE(throttle.patient_until, jiffies + msecs_to_jiffies(PATIENCE_MS));
	}
	return stp_control_is_open() && time_before(jiffies, READ_ONCE(throttle.patient_until));
}

static bool has_room(const struct stp_ring *r)
{
	return stp_ring_fill(r) < r->hold_level / 2;
}

static void hold_run(struct callback_head *work)
{
	struct hold *h = container_of(work, struct hold, work);
	const struct stp_ring *r = stp_session_ring(h->ring);

	while (!READ_ONCE(throttle.ended) && !has_room(r) && reader_is_alive() &&
	       !fatal_signal_pending(current))
		schedule_timeout_killable(1);
	smp_store_release(&h->task, NULL);
	stp_deferral_end();
}

/* True: the task is already about to wait and need not be asked again. */
static bool is_asked(const struct task_struct *task)
{
	for (unsigned int i = 0; i < PLACES; i++)
		if (READ_ONCE(throttle.places[i].task) == task)
			return true;
	return false;
}

static struct hold *place_take(struct task_struct *task)
{
	for (unsigned int i = 0; i < PLACES; i++) {
		struct hold *h = &throttle.places[i];

		if (!READ_ONCE(h->task) && !cmpxchg(&h->task, NULL, task))
			return h;
	}
	return NULL;
}

/*
 * True: the kernel code that was hit runs for the task itself. A breakpoint's handler
 * counts as an NMI; the code that it interrupted decides.
 */
static bool runs_for_task(void)
{
	unsigned int count = preempt_count();

	if (count & NMI_MASK)
		count -= NMI_OFFSET + HARDIRQ_OFFSET;
	return !(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

static bool may_be_held(const struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | PF_EXITING)) && task->tgid != stp_reader() &&
	       runs_for_task() && !READ_ONCE(throttle.ended) && !is_asked(task);
}

void port_hold_task(void)
{
	struct task_struct *task = current;
	struct hold *h = may_be_held(task) ? place_take(task) : NULL;

	if (!h)
		return;
	h->ring = raw_smp_processor_id();
	init_task_work(&h->work, hold_run);
	if (!stp_deferral_add(task, &h->work, TWA_RESUME))
		smp_store_release(&h->task, NULL);
}

static void call_run(struct callback_head *work)
{
	stp_deferral_end();
}

/*
 * While a task has a place, it has not reached its work, and cannot have ended; RCU keeps
 * it while we use it.
 */
static void call_back(struct hold *h)
{
	struct task_struct *task;

	rcu_read_lock();
	task = READ_ONCE(h->task);
	if (task) {
		init_task_work(&h->call, call_run);
		stp_deferral_add(task, &h->call, TWA_SIGNAL);
	}
	rcu_read_unlock();
}

void stp_throttle_end(void)
{
	if (READ_ONCE(throttle.ended))
		return;
	WRITE_ONCE(throttle.ended, true);
	for (unsigned int i = 0; i < PLACES; i++)
		call_back(&throttle.places[i]);
}
