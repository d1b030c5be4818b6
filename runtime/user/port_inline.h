/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of core/port.h that every hit uses, in user space. Only core/port.h includes
 * this file.
 */
#ifndef STP_USER_PORT_INLINE_H
#define STP_USER_PORT_INLINE_H

#include <unistd.h>
#include "arch_ops.h"
#include "user/user.h"

static __always_inline unsigned port_this_cpu(void)
{
	return user_cpu;
}

/* Nothing to turn off: handlers never run in signal handlers. */
static __always_inline unsigned long port_irq_save(void)
{
	return 0;
}

static __always_inline void port_irq_restore(unsigned long flags)
{
}

static __always_inline void port_current_task(uint32_t *process, uint32_t *thread)
{
	*process = *thread = (uint32_t)getpid();
}

/* There is no filter of tasks here. */
static __always_inline bool port_task_passes(void)
{
	return true;
}

static __always_inline uint64_t port_cycles(void)
{
	return arch_cycles();
}

#endif
