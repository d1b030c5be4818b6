/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books: an account of every hit. hit.c and context.c count, the functions here
 * compute the sums.
 */
#include "core/state.h"

/* With this many probes or more, the sums are computed at most once in this time. */
#define SUMS_PROBES   1000
#define SUMS_EVERY_NS 1000000000u

static const char *const skip_names[STP_SKIP_COUNT] = {
#define R(kind, text) [STP_SKIP_##kind] = text,
	STP_SKIP_REASONS(R)
#undef R
};

/*
 * Hits after the end are shown with the reason, but do not count: their number depends on
 * what else the kernel is unregistering at that time. Hits of other tasks do not count
 * either.
 */
static uint64_t book_skipped(const struct stp_book *b)
{
	uint64_t n = 0;

	for (int i = 0; i < STP_SKIP_UNCOUNTED; i++)
		n += READ_ONCE(b->skipped[i]);
	return n;
}

/*
 * Returns the hits that the family knows the kernel missed; they belong to no CPU in
 * particular.
 */
static uint64_t book_missed(const struct stp_probe *p)
{
	return p->family->missed ? p->family->missed(p, stp_runtime.states[p->index]) : 0;
}

static void sums_take(struct stp_sums *s)
{
	const struct stp_runtime *r = port_address(stp_runtime);
	const struct stp_script *script = port_address(stp_script);

	for (uint32_t p = 0; p < script->nprobes; p++) {
		s->skipped += book_missed(&script->probes[p]);
		for (unsigned i = 0; i <= r->ncpus; i++) {
			const struct stp_book *b = r->cpus[i] ? &r->cpus[i]->books[p] : NULL;

			if (!b)
				continue;
			s->delivered += READ_ONCE(b->delivered);
			s->dropped += READ_ONCE(b->dropped);
			s->skipped += book_skipped(b);
		}
	}
}

/*
 * Returns the sums of the books. The reader asks for the state many times a second: while
 * the script runs, the sums over many probes are computed only once in a while. Two
 * concurrent callers both compute them.
 */
static struct stp_sums sums_of(struct stp_runtime *r, enum stp_state state)
{
	uint64_t now = port_monotonic_ns();
	struct stp_sums s = { 0 };

	if (stp_script.nprobes >= SUMS_PROBES && state < STP_STOPPED &&
	    now < READ_ONCE(r->sums.until))
		return r->sums;
	sums_take(&s);
	s.until = now + SUMS_EVERY_NS;
	r->sums = s;
	return s;
}

void stp_books_status(struct stp_status *ret)
{
	struct stp_runtime *r = port_address(stp_runtime);
	struct stp_sums sums;

	memset(ret, 0, sizeof(*ret));
	ret->state = stp_session_state();
	ret->failed = (uint32_t)READ_ONCE(r->failed);
	ret->on_full = r->on_full;
	for (unsigned i = 0; i <= r->ncpus; i++) {
		const struct stp_cpu *cpu = r->cpus[i];

		if (!cpu)
			continue;
		ret->errors += READ_ONCE(cpu->errors);
		ret->warnings_lost += READ_ONCE(cpu->notices_lost);
	}
	sums = sums_of(r, (enum stp_state)ret->state);
	ret->delivered = sums.delivered;
	ret->dropped = sums.dropped;
	ret->skipped = sums.skipped;
	ret->suppressed = stp_script.limits.suppress_errors ? ret->errors : 0;
	ret->hits = ret->delivered + ret->dropped + ret->skipped;
}

struct books_out {
	void (*line)(void *ctx, const char *text);
	void *ctx;
};

static __attribute__((__format__(__printf__, 2, 3), __noinline__)) void
books_line(const struct books_out *o, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	o->line(o->ctx, text);
}

static bool book_is_empty(const struct stp_book *b)
{
	return !(READ_ONCE(b->delivered) | READ_ONCE(b->dropped) | book_skipped(b));
}

static void books_say(const struct books_out *o, const struct stp_probe *p, const char *cpu,
		      const struct stp_book *b)
{
	uint64_t delivered = READ_ONCE(b->delivered), dropped = READ_ONCE(b->dropped),
		 skipped = book_skipped(b);

	books_line(o, "probe\t%u\t%s\t%llu\t%llu\t%llu\t%llu\t%.400s\n", p->index, cpu,
		   (unsigned long long)(delivered + dropped + skipped),
		   (unsigned long long)delivered, (unsigned long long)dropped,
		   (unsigned long long)skipped, p->pp);
}

static void books_probe(const struct books_out *o, const struct stp_probe *p)
{
	struct stp_book missed = { .skipped = { [STP_SKIP_MISSED] = book_missed(p) } };
	const struct stp_runtime *r = port_address(stp_runtime);
	char name[16];

	for (unsigned i = 0; i <= r->ncpus; i++) {
		const struct stp_cpu *cpu = r->cpus[i];

		if (!cpu || book_is_empty(&cpu->books[p->index]))
			continue;
		if (i < r->ncpus)
			snprintf(name, sizeof(name), "%u", i);
		books_say(o, p, i < r->ncpus ? name : "slow", &cpu->books[p->index]);
	}
	if (!book_is_empty(&missed))
		books_say(o, p, "any", &missed);
}

/* An attempt fails only while hit.c adds to the probe, which takes a moment. */
uint64_t stp_books_cycles(const struct stp_cpu *cpu, uint32_t probe)
{
	const struct stp_time *t = &cpu->times[probe];
	int64_t left, again;
	uint64_t given;
	int tries = 100;

	do {
		left = smp_load_acquire(&t->left);
		given = READ_ONCE(t->given);
		smp_mb();
		again = READ_ONCE(t->left);
	} while ((again < 0 || again > left) && --tries);
	return given - (uint64_t)left;
}

/* Prints nothing for a probe without hits, or if the rate of cycles is unknown. */
static void books_time(const struct books_out *o, const struct stp_probe *p)
{
	const struct stp_runtime *r = port_address(stp_runtime);
	uint64_t cycles = 0, ns;

	for (unsigned i = 0; i <= r->ncpus; i++)
		if (r->cpus[i])
			cycles += stp_books_cycles(r->cpus[i], p->index);
	ns = port_cycles_ns(cycles);
	if (ns)
		books_line(o, "time\t%u\t%llu\n", p->index, (unsigned long long)ns);
}

static void books_unreturned(const struct books_out *o, const struct stp_probe *p)
{
	uint64_t n =
		p->family->unreturned ? p->family->unreturned(p, stp_runtime.states[p->index]) : 0;

	if (n)
		books_line(o, "unreturned\t%u\t%llu\t%.400s\n", p->index, (unsigned long long)n,
			   p->pp);
}

static void books_reason(const struct books_out *o, enum stp_skip_reason reason)
{
	const struct stp_runtime *r = port_address(stp_runtime);
	const struct stp_script *script = port_address(stp_script);
	uint64_t n = 0;

	for (uint32_t p = 0; p < script->nprobes; p++) {
		for (unsigned i = 0; i <= r->ncpus; i++)
			if (r->cpus[i])
				n += READ_ONCE(r->cpus[i]->books[p].skipped[reason]);
		if (reason == STP_SKIP_MISSED)
			n += book_missed(&script->probes[p]);
	}
	if (n)
		books_line(o, "skipped\t%s\t%llu\n", skip_names[reason], (unsigned long long)n);
}

static void books_global(const struct books_out *o, const struct stp_global *g)
{
	uint32_t n = g->lock && !g->shares_lock ? READ_ONCE(g->lock->refused) : 0;

	if (n)
		books_line(o, "contended\t%.250s\t%u\n", g->name, n);
}

void stp_books_write(void (*line)(void *ctx, const char *text), void *ctx)
{
	const struct stp_script *script = port_address(stp_script);
	const struct books_out o = { line, ctx };

	for (uint32_t p = 0; p < script->nprobes; p++) {
		books_probe(&o, &script->probes[p]);
		books_time(&o, &script->probes[p]);
		books_unreturned(&o, &script->probes[p]);
	}
	for (int i = 0; i < STP_SKIP_COUNT; i++)
		books_reason(&o, (enum stp_skip_reason)i);
	for (uint32_t i = 0; i < script->nglobals; i++)
		books_global(&o, &script->globals[i]);
}
