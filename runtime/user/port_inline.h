/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of core/port.h that every hit uses, in user space. Only core/port.h includes
 * this file.
 */
#ifndef STP_USER_PORT_INLINE_H
#define STP_USER_PORT_INLINE_H

#include <unistd.h>
#include "arch_ops.h"
#include "bpf/arena.h"
#include "user/bpfload.h"
#include "user/user.h"

#define PORT_REPEATS 1
#ifdef STP_BPF /* the programs change the same arrays */
#define PORT_PARTS 0
#else
#define PORT_PARTS 1
#endif
#define PORT_ALLOCATES 1
#define PORT_SAMPLES   0
#define PORT_SPARES    0

static __always_inline unsigned port_this_cpu(void)
{
	return user_cpu;
}

/* There is nothing to turn off: handlers never run in signal handlers. */
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

void stp_hit_slow(const struct stp_probe *p); /* core/port.h */

/* Runs a hit of begin, end or error: with --runtime=bpf in the kernel. */
static __always_inline void port_hit_slow(const struct stp_probe *p)
{
#ifdef STP_BPF
	bpfload_hit(p, true);
#else
	stp_hit_slow(p);
#endif
}

static __always_inline void port_hits_ask(void)
{
#ifdef STP_BPF
	WRITE_ONCE(bpf_shared.asks, 1);
#endif
}

static __always_inline bool port_reads_globals(bool begins)
{
#ifdef STP_BPF
	return bpfload_reads(begins);
#else
	return true;
#endif
}

/* There is no filter of tasks here. */
static __always_inline bool port_task_passes(void)
{
	return true;
}

static __always_inline uint64_t port_cycles(void)
{
#ifdef STP_BPF /* the unit of the handlers */
	return port_monotonic_ns();
#endif
	return arch_cycles();
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
