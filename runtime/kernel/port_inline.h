/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every hit takes of core/port.h, from the kernel. Included by core/port.h, by nothing else. */
#ifndef STP_KERNEL_PORT_INLINE_H
#define STP_KERNEL_PORT_INLINE_H

#include <linux/irqflags.h>
#include <linux/smp.h>
#include <asm/timex.h>

static __always_inline unsigned port_this_cpu(void)
{
	return raw_smp_processor_id();
}

/* The raw forms: the others call tracepoints, which may be probed. */
static __always_inline unsigned long port_irq_save(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	return flags;
}

static __always_inline void port_irq_restore(unsigned long flags)
{
	raw_local_irq_restore(flags);
}

static __always_inline uint64_t port_cycles(void)
{
	return __builtin_ia32_rdtsc(); /* not get_cycles(): where only the low half is wanted, the compiler leaves out the rest */
}

#endif
