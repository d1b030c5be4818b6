/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See deferral.h. */
#include "kernel/deferral.h"

#include <linux/module.h>
#include <linux/rcupdate.h>

#include "api.h"
#include "core/session.h"

static struct {
	bool used; /* works were given to tasks */
	struct stp_removal *removals;
} late;

bool stp_deferral_add(struct task_struct *task, struct callback_head *work,
		      enum task_work_notify_mode how)
{
	WRITE_ONCE(late.used, true);
	__module_get(THIS_MODULE);
	if (!task_work_add(task, work, how))
		return true;
	module_put(THIS_MODULE);
	return false;
}

void stp_deferral_end(void)
{
	module_put(THIS_MODULE);
}

static void run_removal(struct work_struct *work)
{
	struct stp_removal *r = container_of(work, struct stp_removal, work);

	r->run();
	complete(&r->done);
	module_put(THIS_MODULE);
}

void stp_deferral_remove(struct stp_removal *r, const char *what)
{
	INIT_WORK(&r->work, run_removal);
	init_completion(&r->done);
	r->next = late.removals;
	late.removals = r;
	__module_get(THIS_MODULE);
	queue_work(system_unbound_wq, &r->work);
	if (!wait_for_completion_timeout(&r->done, msecs_to_jiffies(STP_DEFERRAL_PATIENCE_MS)))
		stp_setup_warning("%s still in use: the module stays until it is not any more",
				  what);
}

/*
 * Works release the module before their last instruction. A task has left that code once
 * it was seen outside the kernel.
 */
void stp_deferral_flush(void)
{
	for (struct stp_removal *r = late.removals; r; r = r->next)
		flush_work(&r->work);
	if (READ_ONCE(late.used))
		synchronize_rcu_tasks();
}
