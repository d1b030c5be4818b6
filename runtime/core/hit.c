/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol: the only place where handlers are entered and left.
 *
 *   interrupts off · guard · state · locks · context · condition · handler
 *   locks back · records (output.c) · books · guard back · interrupts on
 *
 * It is the cost of every event. What most hits do not need, they do not pay for: a context is touched, not cleared; a hit that prints nothing
 * has no time; the guard and the books are plain words of the CPU, so that an uncontended hit has no locked instruction but those of the
 * globals it shares.
 */
#include "core/state.h"

/* Overload is counted over intervals of so many cycles. */
#define OVERLOAD_INTERVAL 1000000000ull

struct hit {
	const struct stp_probe *p;
	void (*handler)(struct stp_ctx *c);
	struct pt_regs *regs;
	const int64_t *args;
	int64_t *saved;
	bool books; /* a hit of its own, not the entry half of a return probe */
};

static __always_inline void hit_context(struct stp_ctx *c, const struct hit *h)
{
	c->error = NULL;
	c->probe = h->p;
	c->regs = h->regs;
	c->args = h->args;
	c->saved = h->saved;
	c->actions = c->sleepable ? stp_script.limits.action_slow : stp_script.limits.action;
	c->depth = 0;
	c->frame_used = 0;
	c->serial++;
	c->next = false;
	if (unlikely(c->matches))
		c->matches->regex = NULL;
}

/* Writes the records and the books of a handler that ran. True: delivered. */
static __always_inline bool hit_finish(struct stp_cpu *cpu, const struct hit *h)
{
	struct stp_book *book = &cpu->books[h->p->index];
	bool whole = !cpu->printing || stp_output_end(cpu);

	if (stp_failed(&cpu->ctx) && cpu->ctx.error != stp_aborted) {
		stp_skip(cpu, h->p, STP_SKIP_ERROR);
		stp_error_finish(cpu);
		return false;
	}
	if (unlikely(!whole))
		WRITE_ONCE(book->dropped, book->dropped + 1);
	else if (h->books)
		WRITE_ONCE(book->delivered, book->delivered + 1);
	return whole;
}

/* The guard is taken. */
static __always_inline bool hit_run(struct stp_cpu *cpu, const struct hit *h)
{
	struct stp_ctx *c = &cpu->ctx;
	bool wanted = true;

	if (h->p->nlocks && unlikely(!stp_locks_take(h->p))) {
		stp_skip(cpu, h->p, STP_SKIP_LOCK);
		return false;
	}
	hit_context(c, h);
	if (h->p->condition)
		wanted = h->p->condition(c);
	if (wanted && !stp_failed(c))
		h->handler(c);
	if (h->p->nlocks)
		stp_locks_release(h->p);
	return wanted || stp_failed(c) ? hit_finish(cpu, h) : false;
}

static void overload_report(struct stp_cpu *cpu, uint64_t spent)
{
	char text[128];
	int n = snprintf(text, sizeof(text),
			 "probe overhead (%llu of %llu cycles on one CPU) exceeded threshold",
			 (unsigned long long)spent, OVERLOAD_INTERVAL);

	if (stp_session_state() == STP_EXITING)
		return;
	stp_output_notice(cpu, RECORD_ERROR, text, (size_t)n);
	stp_session_fail();
}

static void overload_check(struct stp_cpu *cpu, uint64_t from)
{
	uint64_t now = port_cycles(), most = OVERLOAD_INTERVAL / 100 * stp_script.limits.overload_percent;

	if (now - cpu->interval_start > OVERLOAD_INTERVAL) {
		cpu->interval_start = from;
		cpu->interval_spent = 0;
	}
	cpu->interval_spent += now - from;
	if (unlikely(cpu->interval_spent > most))
		overload_report(cpu, cpu->interval_spent);
}

static __always_inline bool hit_guarded(struct stp_cpu *cpu, const struct hit *h)
{
	bool overload = stp_script.limits.overload_percent != 0;
	uint64_t from = overload ? port_cycles() : 0;
	bool delivered;

	WRITE_ONCE(cpu->busy, 1);
	barrier();
	delivered = hit_run(cpu, h);
	if (overload)
		overload_check(cpu, from);
	smp_store_release(&cpu->busy, 0);
	return delivered;
}

static __attribute__((cold)) void hit_refuse(struct stp_cpu *cpu, const struct stp_probe *p)
{
	stp_skip(cpu, p, READ_ONCE(cpu->busy) ? STP_SKIP_REENTRANT : STP_SKIP_STOPPING);
}

static __always_inline bool hit_fast(const struct hit *h)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_runtime.cpus[port_this_cpu()];
	enum stp_state state = stp_session_state();
	bool delivered = false;

	if (likely(!READ_ONCE(cpu->busy) && (state == STP_RUNNING || state == STP_STARTING)))
		delivered = hit_guarded(cpu, h);
	else
		hit_refuse(cpu, h->p);
	port_irq_restore(flags);
	return delivered;
}

bool stp_hit(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args, int64_t *saved)
{
	const struct hit h = { p, p->handler, regs, args, saved, true };

	return hit_fast(&h);
}

/* An entry that fails stands in the books as a skipped hit: its return will never be one. */
bool stp_hit_entry(const struct stp_probe *p, void (*entry)(struct stp_ctx *c), struct pt_regs *regs,
		   int64_t *saved)
{
	const struct hit h = { p, entry, regs, NULL, saved, false };

	return hit_fast(&h);
}

bool stp_hit_slow(const struct stp_probe *p)
{
	const struct hit h = { p, p->handler, NULL, NULL, NULL, true };
	struct stp_cpu *cpu = stp_runtime.cpus[stp_runtime.ncpus];
	bool delivered = hit_run(cpu, &h);

	if (stp_ring_fill(&cpu->ring))
		port_wake_reader();
	return delivered;
}

void stp_slow_notice(enum stp_record_kind kind, const char *text)
{
	stp_output_notice(stp_runtime.cpus[stp_runtime.ncpus], kind, text, strlen(text));
}

void stp_exit(struct stp_ctx *c)
{
	stp_session_request_exit();
}

void stp_abort(struct stp_ctx *c)
{
	stp_exit(c);
	if (!c->error)
		c->error = stp_aborted;
}
