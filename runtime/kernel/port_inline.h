/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of core/port.h that every hit uses, for the kernel. Only core/port.h includes
 * this file.
 */
#ifndef STP_KERNEL_PORT_INLINE_H
#define STP_KERNEL_PORT_INLINE_H

#include <linux/irqflags.h>
#include <linux/smp.h>
#include <asm/timex.h>

#include "arch_ops.h"
#include "kernel/taskfilter.h"

#define PORT_REPEATS   1
#define PORT_PARTS     1
#define PORT_ALLOCATES 1
#define PORT_SAMPLES   0
#define PORT_SPARES    0

static __always_inline unsigned port_this_cpu(void)
{
	return raw_smp_processor_id();
}

/*
 * Lockdep must know that interrupts are off, or it reports the first lock in a hit as an
 * error. Whenever it believes that they are on, it is informed in the same way as by the
 * kernel's entry code: some kernel code turns interrupts off without informing lockdep,
 * and may be probed.
 */
#ifdef CONFIG_PROVE_LOCKING
#define PORT_LOCKDEP_TOLD (1ul << (BITS_PER_LONG - 1)) /* not a flag of the processor */

static __always_inline unsigned long port_lockdep_off(void)
{
	if (!lockdep_hardirqs_enabled())
		return 0;
	lockdep_hardirqs_off(_THIS_IP_);
	return PORT_LOCKDEP_TOLD;
}

static __always_inline void port_lockdep_on(unsigned long flags)
{
	if (!(flags & PORT_LOCKDEP_TOLD))
		return;
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(_THIS_IP_);
}
#else
#define PORT_LOCKDEP_TOLD 0ul

static __always_inline unsigned long port_lockdep_off(void)
{
	return 0;
}

static __always_inline void port_lockdep_on(unsigned long flags)
{
}
#endif

/* Uses the raw functions, because the others call tracepoints, which may be probed. */
static __always_inline unsigned long port_irq_save(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	return flags | port_lockdep_off();
}

static __always_inline void port_irq_restore(unsigned long flags)
{
	port_lockdep_on(flags);
	flags &= ~PORT_LOCKDEP_TOLD;
	if (!ARCH_TURNS_IRQS_ON)
		raw_local_irq_restore(flags);
	else if (likely(!raw_irqs_disabled_flags(flags)))
		raw_local_irq_enable();
}

/* Gets the running process and thread. */
static __always_inline void port_current_task(uint32_t *process, uint32_t *thread)
{
	*process = (uint32_t)current->tgid;
	*thread = (uint32_t)current->pid;
}

static __always_inline bool port_task_passes(void)
{
	return stp_taskfilter_passes();
}

static __always_inline uint64_t port_cycles(void)
{
	return arch_cycles();
}

static __always_inline void port_hit_slow(const struct stp_probe *p)
{
	stp_hit_slow(p);
}

static __always_inline void port_hits_ask(void)
{
}

static __always_inline bool port_reads_globals(bool begins)
{
	return true;
}

static __always_inline void port_handler_run(void (*handler)(struct stp_ctx *c), struct stp_ctx *c)
{
	handler(c);
}

static __always_inline bool port_condition_run(const struct stp_probe *p, struct stp_ctx *c)
{
	return p->condition(c);
}

#endif
