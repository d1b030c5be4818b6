/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls a function in new tasks, before they first enter user mode. The function is not
 * called if no place is free, or if the task ends too soon.
 */
#ifndef STP_PROCESS_CHILD_H
#define STP_PROCESS_CHILD_H

#include <linux/bitmap.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "kernel/deferral.h"
#include "kernel/slots.h"

#define PROCESS_CHILDREN 256 /* tasks that have not entered user mode yet */

struct process_children {
	void (*begin)(void);
	bool ended;
	DECLARE_BITMAP(taken, PROCESS_CHILDREN);
	struct process_child {
		struct callback_head work;
		struct process_children *all;
	} places[PROCESS_CHILDREN];
};

static inline void process_child_run(struct callback_head *work)
{
	struct process_child *child = container_of(work, struct process_child, work);
	struct process_children *all = child->all;

	stp_slots_leave(all->taken, child - all->places);
	preempt_disable();
	if (!READ_ONCE(all->ended))
		all->begin();
	preempt_enable();
	stp_deferral_end();
}

static inline void process_child_add(struct process_children *all, struct task_struct *task)
{
	unsigned int i = stp_slots_take(all->taken, PROCESS_CHILDREN);

	if (i == PROCESS_CHILDREN)
		return;
	all->places[i].all = all;
	init_task_work(&all->places[i].work, process_child_run);
	if (!stp_deferral_add(task, &all->places[i].work, TWA_RESUME))
		stp_slots_leave(all->taken, i);
}

/* Afterwards no call begins, and none is running. */
static inline void process_children_end(struct process_children *all)
{
	WRITE_ONCE(all->ended, true);
	synchronize_rcu();
}

#endif
