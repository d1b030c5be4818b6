/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workers that make arrays grow. */
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "core/map.h"
#include "core/port.h"

static void maps_grow(struct work_struct *work)
{
	stp_store_grow();
}

static void workers_queue(struct irq_work *work);

static struct worker {
	struct irq_work irq;
	struct work_struct work;
} workers[PORT_WORKERS] = {
	{ IRQ_WORK_INIT(workers_queue), __WORK_INITIALIZER(workers[0].work, maps_grow) },
	{ IRQ_WORK_INIT(workers_queue), __WORK_INITIALIZER(workers[1].work, maps_grow) },
};

static void workers_queue(struct irq_work *work)
{
	queue_work(system_highpri_wq, &container_of(work, struct worker, irq)->work);
}

/*
 * The work is not queued at once: the probed code may belong to work queues, or hold the
 * scheduler's locks.
 */
void port_wake_worker(unsigned int worker)
{
	irq_work_queue(&workers[worker].irq);
}

void port_stop_workers(void)
{
	for (unsigned int i = 0; i < PORT_WORKERS; i++)
		irq_work_sync(&workers[i].irq);
	for (unsigned int i = 0; i < PORT_WORKERS; i++)
		cancel_work_sync(&workers[i].work);
}
