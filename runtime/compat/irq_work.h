/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for the hard interrupt, of PREEMPT_RT kernels too. */
#ifndef STP_COMPAT_IRQ_WORK_H
#define STP_COMPAT_IRQ_WORK_H

#include <linux/irq_work.h>

static inline void compat_irq_work_init(struct irq_work *work, void (*func)(struct irq_work *work))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(func);
#else
	init_irq_work(work, func);
	atomic_set(&work->flags, IRQ_WORK_HARD_IRQ);
#endif
}

#endif
