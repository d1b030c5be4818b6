/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol: the only place where handlers are entered and left.
 *
 *   interrupts off · guard · state · locks · context · condition · handler
 *   locks back · records (output.c) · books · overload · guard back · interrupts on
 *
 * It is the cost of every event: families whose events are cheap take it inline, all others by stp_hit() of core/session.h. What most hits do
 * not need, they do not pay for: a context is touched, not cleared; a hit that prints nothing has no time; the guard and the books are plain
 * words of the CPU, so that a hit has no locked instruction but those of the globals it shares.
 */
#ifndef STP_HIT_H
#define STP_HIT_H

#include "core/state.h"

struct stp_hit_args {
	const struct stp_probe *p;
	void (*handler)(struct stp_ctx *c);
	struct pt_regs *regs;
	const int64_t *args;
	int64_t *saved;
	bool books; /* a hit of its own, not the entry half of a return probe */
};

/* The rare ways out, in hit.c. */
void stp_hit_refused(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_unlockable(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_failed(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_dropped(struct stp_cpu *cpu, const struct stp_probe *p);
void stp_hit_overload(struct stp_cpu *cpu);

static __always_inline void hit_context(struct stp_ctx *c, const struct stp_hit_args *h)
{
	c->error = NULL;
	c->probe = h->p;
	c->regs = h->regs;
	c->args = h->args;
	c->saved = h->saved;
	c->actions = c->budget;
	c->depth = 0;
	c->frame_used = 0;
	c->serial++;
	c->next = false;
}

/* Writes the records and the books of a handler that ran. True: delivered. */
static __always_inline bool hit_finish(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	bool whole = likely(!cpu->printing) || stp_output_end(cpu, h->books);
	struct stp_book *book;

	if (stp_failed(&cpu->ctx) && cpu->ctx.error != stp_aborted)
		return stp_hit_failed(cpu, h->p);
	if (unlikely(!whole))
		return stp_hit_dropped(cpu, h->p);
	if (h->books) {
		book = &cpu->books[h->p->index];
		book->delivered++; /* one word, this CPU's: readers see the old or the new */
	}
	return true;
}

/* The guard is taken. */
static __always_inline bool hit_run(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	struct stp_ctx *c = &cpu->ctx;
	bool wanted = true;

	if (unlikely(!stp_locks_take(cpu, h->p)))
		return stp_hit_unlockable(cpu, h->p);
	hit_context(c, h);
	if (unlikely(h->p->condition))
		wanted = h->p->condition(c);
	if (likely(wanted && !stp_failed(c)))
		h->handler(c);
	stp_locks_release(cpu, h->p);
	return likely(wanted || stp_failed(c)) ? hit_finish(cpu, h) : false;
}

/* Cycles are counted in 32 bits: what a handler may do is bounded far below that. */
static __always_inline bool hit_guarded(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	uint32_t from = (uint32_t)port_cycles();
	bool delivered;

	WRITE_ONCE(cpu->busy, 1);
	barrier();
	delivered = hit_run(cpu, h);
	cpu->cycles_left -= (uint32_t)port_cycles() - from;
	if (unlikely(cpu->cycles_left < 0))
		stp_hit_overload(cpu);
	smp_store_release(&cpu->busy, 0);
	return delivered;
}

static __always_inline bool hit_here(const struct stp_hit_args *h)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_cpu_here();
	bool delivered = false;

	if (likely(!READ_ONCE(cpu->busy) && stp_hits_wanted()))
		delivered = hit_guarded(cpu, h);
	else
		stp_hit_refused(cpu, h->p);
	port_irq_restore(flags);
	return delivered;
}

#endif
