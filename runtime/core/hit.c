/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rare steps of the hit protocol (hit.h), and the protocol of begin, end and error;
 * hits.c has it for other probes.
 */
#include "core/hit.h"

/*
 * Overload is counted over intervals of OVERLOAD_INTERVAL cycles. Whenever a probe has
 * used up its part of the handlers' share, this part is counted at once: all parts
 * together are at most an eighth.
 */
#define OVERLOAD_INTERVAL 1000000000ull
#define OVERLOAD_PARTS	  64
#define OVERLOAD_TEXT	  "probe overhead (%llu of %llu cycles on one CPU) exceeded threshold"

#ifdef __KERNEL__
DEFINE_PER_CPU(struct stp_cpu *, stp_here);
#endif

void stp_hit_refused(struct stp_cpu *cpu, const struct stp_probe *p)
{
	bool is_busy = READ_ONCE(cpu->busy);

	if (!is_busy && stp_session_state() <= STP_RUNNING)
		stp_skip_count(cpu, p, STP_SKIP_FILTERED);
	else
		stp_skip(cpu, p, is_busy ? STP_SKIP_REENTRANT : STP_SKIP_STOPPING);
}

bool stp_hit_unlockable(struct stp_cpu *cpu, const struct stp_probe *p)
{
	stp_skip(cpu, p, STP_SKIP_LOCK);
	return false;
}

static void hit_fail(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (cpu->ctx.error == stp_absent) {
		cpu->ctx.again = true;
		return;
	}
	if (cpu->ctx.error == stp_given_up) {
		stp_hit_unlockable(cpu, p);
		return;
	}
	stp_skip(cpu, p, STP_SKIP_ERROR);
	stp_error_finish(cpu);
}

/*
 * Makes the context ready for the next hit. False: abort() has ended the hit, which
 * counts in the books like any other.
 */
bool stp_hit_failed(struct stp_cpu *cpu, const struct stp_probe *p)
{
	bool counts = cpu->ctx.error != stp_aborted;

	if (counts)
		hit_fail(cpu, p);
	cpu->ctx.error = NULL;
	return counts;
}

/*
 * Leaves a hit that was broken off, so that it is repeated. Takes everything that it was
 * called with from the context, so that other hits need not save it.
 */
bool stp_hit_repeat(struct stp_cpu *cpu, bool books)
{
	struct stp_ctx *c = &cpu->ctx;
	const struct stp_probe *p = c->probe;
	struct stp_repeat r = {
		.p = p,
		.hit = books ? p->hit : p->enter,
		.regs = c->regs,
		.args = c->args,
		.saved = c->saved,
		.absence = c->absence,
	};
	bool itself = c->repeats == STP_REPEATS_ITSELF;

	if (itself)
		c->again = false;
	stp_hit_leave(cpu, p);
	return itself && p->repeat(&r);
}

bool stp_hit_dropped(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_book *book = &cpu->books[p->index];

	WRITE_ONCE(book->dropped, book->dropped + 1);
	return false;
}

static uint64_t overload_most(void)
{
	return OVERLOAD_INTERVAL / 100 * stp_script.limits.overload_percent;
}

static int64_t overload_part(uint64_t most)
{
	uint64_t parts = 8ull * stp_script.nprobes;

	return most ? (int64_t)(most / (parts > OVERLOAD_PARTS ? parts : OVERLOAD_PARTS))
		    : INT64_MAX;
}

bool stp_hit_goes_on(struct stp_cpu *cpu)
{
	uint64_t now = port_cycles(), most = overload_most();
	struct stp_time *t;

	if (cpu->ctx.sleepable)
		return true;
	t = &cpu->times[cpu->ctx.probe->index];
	if (!cpu->began) /* first piece: may take more than 32 bits of cycles */
		cpu->began = now - ((uint32_t)now - cpu->cycles_from);
	t->given -= (uint64_t)t->left + 1;
	WRITE_ONCE(t->left, -1); /* also check it when it ends */
	if (!most || now - cpu->began <= most)
		return true;
	stp_error(&cpu->ctx, OVERLOAD_TEXT, (unsigned long long)(now - cpu->began),
		  OVERLOAD_INTERVAL);
	return false;
}

/*
 * Ends the script. Its end probes show the collected data; then stp_overload_tell()
 * prints the reason.
 */
static void overload_end(const struct stp_cpu *cpu)
{
	int32_t none = 0;

	if (stp_session_state() == STP_EXITING)
		return;
	(void)try_cmpxchg32(&stp_runtime.overloaded, &none, (int32_t)cpu->ctx.cpu + 1);
	stp_session_fail();
}

/*
 * Returns the probe that has used most of the CPU, and its percentage of what all probes
 * have used.
 */
static const struct stp_probe *overload_cause(const struct stp_cpu *cpu, unsigned *percent)
{
	const struct stp_script *script = port_address(stp_script);
	uint64_t most = 0, all = 0;
	uint32_t cause = 0;

	for (uint32_t i = 0; i < script->nprobes; i++) {
		uint64_t cycles = stp_books_cycles(cpu, i);

		all += cycles;
		if (cycles > most) {
			most = cycles;
			cause = i;
		}
	}
	*percent = all >= 100 ? (unsigned)(most / (all / 100)) : 0;
	return &script->probes[cause];
}

void stp_overload_tell(void)
{
	const struct stp_cpu *cpu;
	const struct stp_probe *p;
	unsigned percent;
	char text[512];

	if (!stp_runtime.overloaded)
		return;
	cpu = stp_runtime.cpus[stp_runtime.overloaded - 1];
	p = overload_cause(cpu, &percent);
	snprintf(text, sizeof(text),
		 OVERLOAD_TEXT "; %u %% of it by %.256s [stap --explain overload]",
		 (unsigned long long)cpu->interval_spent, OVERLOAD_INTERVAL,
		 percent < 100 ? percent : 100, p->pp);
	stp_slow_notice(RECORD_ERROR, text);
}

/*
 * Returns the cycles that the probe has used since the last check. For a hit that used
 * several pieces of its budget these are all its cycles, of which only 32 bits have been
 * counted so far.
 */
static uint64_t overload_spent(const struct stp_cpu *cpu, struct stp_time *t, uint64_t now,
			       int64_t part)
{
	uint64_t spent, counted = (uint64_t)-1 - (uint64_t)t->left;

	if (!cpu->began)
		return (t->given ? (uint64_t)part : 0) - (uint64_t)t->left;
	spent = now - cpu->began;
	spent -= (uint32_t)(spent - counted); /* since the last count */
	t->given += spent - counted;
	return spent;
}

/* Called when one part or more was used up, or a piece of a hit's budget. */
void stp_hit_overload(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_time *t = &cpu->times[p->index];
	uint64_t most = overload_most(), now = port_cycles(), spent;
	int64_t part = overload_part(most);

	spent = overload_spent(cpu, t, now, part);
	if (cpu->began)
		stp_budget_set(&cpu->ctx);
	cpu->began = 0;
	t->given += (uint64_t)part - (uint64_t)t->left;
	smp_store_release(&t->left, part);
	if (!most)
		return;
	if (now - cpu->interval_start > OVERLOAD_INTERVAL) {
		cpu->interval_start = now - spent;
		cpu->interval_spent = 0;
	}
	cpu->interval_spent += spent;
	if (cpu->interval_spent > most)
		overload_end(cpu);
}

void stp_hit_slow(const struct stp_probe *p)
{
	const struct stp_hit_args h = { .p = p, .handler = p->handler, .books = true };
	struct stp_cpu *cpu = stp_runtime.cpus[stp_runtime.ncpus];
	uint64_t began = port_cycles();

	stp_budget_set(&cpu->ctx);
	WRITE_ONCE(cpu->process, port_process());
	stp_hit_run(cpu, &h);
	WRITE_ONCE(cpu->process, 0);
	cpu->times[p->index].given += port_cycles() - began;

	if (stp_ring_fill(&cpu->ring))
		port_wake_reader();
}

void stp_slow_notice(enum stp_record_kind kind, const char *text)
{
	struct stp_cpu *cpu = stp_runtime.cpus[stp_runtime.ncpus];

	cpu->ctx.probe = NULL;
	stp_output_notice(cpu, kind, text, strlen(text));
}

void stp_exit(struct stp_ctx *c)
{
	stp_session_request_exit();
}

void stp_abort(struct stp_ctx *c)
{
	stp_exit(c);
	if (!c->error)
		stp_raise(c, stp_aborted);
}
