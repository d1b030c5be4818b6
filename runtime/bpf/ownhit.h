/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol of points that have code of their own, in BPF programs: that of
 * core/hit.h with fewer steps, because the hit holds the lock of all handlers, and a word
 * of bpf_shared says that there is nothing to ask (struct bpf_shared, closed).
 *
 *   context · condition · handler · records · books
 *
 * Locks of globals are for the process, which reads some: only while it does, hits take
 * them. The clock is read for some hits, as hit.h describes it: they are counted down
 * here, and each counts for all up to the next one.
 */
#ifndef STP_BPF_OWNHIT_H
#define STP_BPF_OWNHIT_H

#include "bpf/arena.h"
#include "bpf/processhit.h"
#include "core/hit.h"

#define OWNHIT_RARE __attribute__((noinline, __unused__))

/* Returns how many hits from this one on are counted as equally long. */
static inline uint32_t ownhit_weight(const struct stp_cpu *cpu, const struct stp_probe *p)
{
	uint32_t n = (uint32_t)cpu->books[p->index].delivered;

	if (n < STP_HIT_MEASURED || stp_script.limits.action > STP_BUDGET_PIECE_ACTIONS)
		return 1;
	return STP_HIT_SAMPLE - 4 + (n * 0x9e3779b1u >> 29);
}

/*
 * Begins a hit whose time is taken. Sets what no other hit changes, if the script has no
 * others (is_alone).
 */
static OWNHIT_RARE bool ownhit_begin(struct stp_cpu *cpu, const struct stp_probe *p)
{
	uint64_t closed = READ_ONCE(bpf_shared.closed);
	struct stp_ctx *c = &cpu->ctx;

	c->probe = p;
	c->regs = (struct pt_regs *)bpf_shared.args;
	c->args = NULL;
	if (closed && !stp_locks_take(cpu, p))
		return stp_hit_unlockable(cpu, p);
	c->ending = STP_ENDS_TIMED;
	cpu->has_locks = closed;
	cpu->weight = closed ? 1 : ownhit_weight(cpu, p);
	cpu->cycles_from = (uint32_t)port_cycles();
	return true;
}

/* The end of such a hit, but for its records and books. */
static OWNHIT_RARE bool ownhit_timed(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_time *t = &cpu->times[p->index];

	cpu->ctx.ending &= (uint8_t)~STP_ENDS_TIMED;
	if (cpu->has_locks)
		stp_locks_release(cpu, p);
	t->left -= ((uint32_t)port_cycles() - cpu->cycles_from) * (int64_t)cpu->weight;
	if (unlikely(t->left < 0))
		stp_hit_overload(cpu, p);
	return true;
}

static inline STP_BPF_INLINE void ownhit_end(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	if (unlikely(cpu->ctx.ending)) {
		if (unlikely(cpu->ctx.ending >= STP_ENDS_TIMED))
			ownhit_timed(cpu, h->p);
		if (cpu->ctx.ending && !stp_hit_end(cpu, h))
			return;
	}
	cpu->books[h->p->index].delivered++;
	barrier(); /* or points that come together here have to say where their books are */
}

/* Runs the hit. i: the point's number among those that have code of their own. */
static inline STP_BPF_INLINE void ownhit_run(struct stp_cpu *cpu, const struct stp_probe *p,
					     unsigned i, void (*handler)(struct stp_ctx *c),
					     bool is_alone, bool has_notes)
{
	bool is_function = p->family == &stp_family_function;
	bool has_regs = is_function || bpf_shared.regs;
	const struct stp_hit_args h = { .p = p, .books = true };
	struct stp_ctx *c = &cpu->ctx;

	if (!is_function && !stp_bpf_is_meant_by())
		return;
	c->marks = 0;
	c->work = c->budget;
	if (has_notes)
		c->serial++;
	if (unlikely(--cpu->untimed[i] < 0)) {
		if (!ownhit_begin(cpu, p))
			return;
		cpu->untimed[i] = cpu->weight - 1;
	}
	if (!is_alone || !is_function) {
		c->regs = has_regs ? (struct pt_regs *)bpf_shared.args : NULL;
		c->args = has_regs ? NULL : (const int64_t *)bpf_shared.args;
		c->probe = p;
	}
	barrier();
	if (p->condition && (!port_condition_run(p, c) || stp_failed(c))) {
		if (c->ending >= STP_ENDS_TIMED)
			ownhit_timed(cpu, p);
		if (stp_failed(c))
			stp_hit_end(cpu, &h);
		return;
	}
	handler(c);
	ownhit_end(cpu, &h);
}

/* Asks whether a hit may run. If there is a reason, it is timed, and takes the locks. */
static inline bool ownhit_asks(struct stp_cpu *cpu, const struct stp_probe *p, unsigned i)
{
	if (READ_ONCE(bpf_shared.closed))
		cpu->untimed[i] = 0;
	if (likely(!cpu->asks) || stp_hit_is_wanted(p))
		return true;
	stp_hit_refused(cpu, p);
	return false;
}

#endif
