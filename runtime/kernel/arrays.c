/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays and aggregates: an object of its own, linked to scripts that have them. And the worker that makes arrays grow. */
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "core/arrays.c"

static void maps_grow(struct work_struct *work)
{
	stp_maps_grow();
}

static DECLARE_WORK(grow_work, maps_grow);

static void worker_wake(struct irq_work *work)
{
	queue_work(system_highpri_wq, &grow_work);
}

static DEFINE_IRQ_WORK(worker_work, worker_wake);

/* Not at once: the code probed may be that of work queues, or hold the scheduler's locks. */
void port_wake_worker(void)
{
	irq_work_queue(&worker_work);
}

void port_stop_worker(void)
{
	irq_work_sync(&worker_work);
	cancel_work_sync(&grow_work);
}
