/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of core/port.h that every hit uses, in BPF programs. Only core/port.h
 * includes this file.
 */
#ifndef STP_BPF_PORT_INLINE_H
#define STP_BPF_PORT_INLINE_H

#include "bpf/arena.h"

#define PORT_REPEATS   0
#define PORT_PARTS     0
#define PORT_ALLOCATES 0
#define PORT_SAMPLES   1
#define PORT_SPARES    1

static __always_inline unsigned port_this_cpu(void)
{
	return 0;
}

/* There is nothing to turn off: one program runs at a time. */
static __always_inline unsigned long port_irq_save(void)
{
	return 0;
}

static __always_inline void port_irq_restore(unsigned long flags)
{
}

void port_current_task(uint32_t *process, uint32_t *thread);

static __always_inline void port_hits_ask(void)
{
	WRITE_ONCE(bpf_shared.asks, 1);
}

bool stp_bpf_task_passes(void); /* port.c */
static __always_inline bool port_task_passes(void)
{
	return stp_bpf_task_passes();
}

/* The generated C has them: a switch over the probes. */
void script_handler(struct stp_ctx *c, uint32_t probe);
void script_entry(struct stp_ctx *c, uint32_t probe);
bool script_condition(struct stp_ctx *c, uint32_t probe);

static __always_inline void port_handler_run(void (*handler)(struct stp_ctx *c), struct stp_ctx *c)
{
	if (c->entering)
		script_entry(c, c->probe->index);
	else
		script_handler(c, c->probe->index);
}

static __always_inline bool port_condition_run(const struct stp_probe *p, struct stp_ctx *c)
{
	return script_condition(c, p->index);
}

/* A BPF program cannot read the time stamp counter: its unit is the nanosecond. */
static __always_inline uint64_t port_cycles(void)
{
	return port_monotonic_ns();
}

#endif
