/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol: the only place where handlers are entered and left.
 *
 *   interrupts off · guard · state · locks · context · condition · handler
 *   locks back · records (output.c) · books · overload · guard back · interrupts on
 *
 * This is the cost of every event. Generated code has it inline, once for each probe
 * (STP_HIT_OF), without the steps that a probe does not need. Scripts with many probes
 * share stp_hit() of core/session.h. Hits do not pay for rare needs. A context is not
 * cleared; a hit that ends with an error cleans up. A hit that prints nothing does not
 * read the clock. The guard and the books are plain words of the CPU, so that the only
 * locked instructions of a hit are for the globals that it shares.
 */
#ifndef STP_HIT_H
#define STP_HIT_H

#include "core/simpleoutput.h"

struct stp_hit_args {
	const struct stp_probe *p;
	void (*handler)(struct stp_ctx *c);
	struct pt_regs *regs;
	const int64_t *args;
	int64_t *saved;
	bool books;	   /* a hit of its own, not the entry half of a return probe */
	bool by_registers; /* all arguments are in regs: the handler reads no c->args */
	bool named;	   /* the compiler knows the handler */
};

/* Rare endings of a hit, in hit.c. */
void stp_hit_refused(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_unlockable(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_failed(struct stp_cpu *cpu, const struct stp_probe *p);
bool stp_hit_dropped(struct stp_cpu *cpu, const struct stp_probe *p);
void stp_hit_overload(struct stp_cpu *cpu, const struct stp_probe *p) __attribute__((cold));
bool stp_hit_repeat(struct stp_cpu *cpu, bool books) __attribute__((cold));

/*
 * Reads the clock, or where that is dear (PORT_SAMPLES) after the probe's first hits only
 * for one in STP_HIT_SAMPLE, whose time counts for all of these. They are chosen by the
 * fraction of the golden ratio's multiples, which has no period in common with what the
 * script does. A hit that gets its budget in several pieces is always measured.
 */
#define STP_HIT_MEASURED   1024
#define STP_HIT_SAMPLE_LOG 4
#define STP_HIT_SAMPLE	   (1u << STP_HIT_SAMPLE_LOG)
static STP_HIT_INLINE void stp_hit_measure(struct stp_cpu *cpu, const struct stp_probe *p)
{
	uint32_t n = PORT_SAMPLES ? (uint32_t)cpu->books[p->index].delivered : 0;

	if (PORT_SAMPLES)
		cpu->weight = 1;
	if (PORT_SAMPLES && stp_script.limits.action <= STP_BUDGET_PIECE_ACTIONS &&
	    n > STP_HIT_MEASURED) {
		if (n * 0x9e3779b1u >> (32 - STP_HIT_SAMPLE_LOG)) {
			cpu->weight = 0;
			return;
		}
		cpu->weight = STP_HIT_SAMPLE;
	}
	cpu->cycles_from = (uint32_t)port_cycles();
}

/* Prepares the context. The error is not cleared here: it is always NULL between hits. */
static STP_HIT_INLINE void stp_hit_context(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	struct stp_ctx *c = &cpu->ctx;

	c->regs = h->regs;
	if (!h->by_registers)
		c->args = h->args;
	if (h->p->enter) /* no other handler needs it */
		c->saved = h->saved;
	c->work = c->budget;
	c->marks = 0;
	if (!h->books)
		c->entering = true;
	c->serial++;
	stp_hit_measure(cpu, h->p);
	/*
	 * Comes last, because the compiler assumes that the code above changes memory
	 * that it cannot see.
	 */
	c->probe = h->p;
}

/* Writes the records of a handler that ran. True: delivered. */
static STP_HIT_INLINE bool stp_hit_end(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	barrier(); /* to compare it in memory, where the caller has done so */
	if (likely(cpu->ctx.ending == STP_ENDS_SIMPLY)) {
		stp_simpleoutput_end(cpu, h->p->index);
		return true;
	}
	if (unlikely(cpu->printing && !stp_output_end(cpu, h->books)))
		return !(stp_failed(&cpu->ctx) && stp_hit_failed(cpu, h->p)) &&
		       stp_hit_dropped(cpu, h->p);
	return !(stp_failed(&cpu->ctx) && stp_hit_failed(cpu, h->p));
}

/* Writes the records and the books of a handler that ran. True: delivered. */
static STP_HIT_INLINE bool stp_hit_finish(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	if (unlikely(cpu->ctx.ending) && unlikely(!stp_hit_end(cpu, h)))
		return false;
	if (h->books)
		/*
		 * A word that only this CPU writes: readers see the old or the new value.
		 */
		cpu->books[h->p->index].delivered++;
	return true;
}

static STP_HIT_INLINE void stp_hit_handle(const struct stp_hit_args *h, struct stp_ctx *c)
{
	if (h->named)
		h->handler(c);
	else
		port_handler_run(h->handler, c);
}

/* Runs the hit; the guard is taken. */
static STP_HIT_INLINE bool stp_hit_run(struct stp_cpu *cpu, const struct stp_hit_args *h)
{
	struct stp_ctx *c = &cpu->ctx;
	bool wanted = true;

	stp_hit_context(cpu, h); /* before any call, so that its arguments need not be saved */
	if (unlikely(!stp_locks_take(cpu, h->p)))
		return stp_hit_unlockable(cpu, h->p);
	if (h->p->condition)
		wanted = port_condition_run(h->p, c) && !stp_failed(c);
	if (wanted)
		stp_hit_handle(h, c);
	stp_locks_release(cpu, h->p);
	return likely(wanted || stp_failed(c)) ? stp_hit_finish(cpu, h) : false;
}

/*
 * Cycles are counted in 32 bits. A longer hit was checked earlier, see stp_hit_goes_on().
 */
static STP_HIT_INLINE void stp_hit_leave(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_time *t = &cpu->times[p->index];
	unsigned long flags;

	if (!PORT_SAMPLES || cpu->weight) {
		t->left -= ((uint32_t)port_cycles() - cpu->cycles_from) *
			   (PORT_SAMPLES ? (int64_t)cpu->weight : 1);
		if (unlikely(t->left < 0))
			stp_hit_overload(cpu, p);
	}
	flags = cpu->irq_flags; /* before the next hit can change them */
	smp_store_release(&cpu->busy, 0);
	port_irq_restore(flags);
}

/*
 * Not inline: a hit that runs keeps the flags in no register, which would have to be
 * saved. Not in hit.c, because the kernel's tables of patchable places would keep it in
 * every module.
 */
static __attribute__((__noinline__, __unused__)) void
stp_hit_refuse(struct stp_cpu *cpu, const struct stp_probe *p, unsigned long flags)
{
	stp_hit_refused(cpu, p);
	port_irq_restore(flags);
}

static STP_HIT_INLINE bool stp_hit_here(const struct stp_hit_args *h)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_cpu_here();

	/* Read without READ_ONCE(), for which compilers use one more instruction. */
	if (unlikely(cpu->closed) && (READ_ONCE(cpu->busy) || !stp_hit_is_wanted(h->p))) {
		stp_hit_refuse(cpu, h->p, flags);
		return false;
	}
	WRITE_ONCE(cpu->busy, 1);
	barrier();
	cpu->irq_flags = flags;
	if (unlikely(!stp_hit_run(cpu, h))) {
		if (PORT_REPEATS && h->p->repeat && unlikely(cpu->ctx.again))
			return stp_hit_repeat(cpu, h->books);
		stp_hit_leave(cpu, h->p);
		return false;
	}
	stp_hit_leave(cpu, h->p);
	return true;
}

/*
 * Defines a probe's own hit function, or the one that saves values at its entry. For
 * generated code, after the table.
 */
#ifdef __bpf__ /* entry.h has what runs; the table is the program's */
#define STP_HIT_OF(name, n, what, in_books)                                                        \
	static bool name(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,     \
			 int64_t *saved)                                                           \
	{                                                                                          \
		return false;                                                                      \
	}
#else
#define STP_HIT_OF(name, n, what, in_books)                                                        \
	static bool name(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,     \
			 int64_t *saved)                                                           \
	{                                                                                          \
		return stp_hit_here(&(const struct stp_hit_args){                                  \
			.p = &probes[n],                                                           \
			.handler = what,                                                           \
			.regs = regs,                                                              \
			.args = args,                                                              \
			.saved = saved,                                                            \
			.books = in_books,                                                         \
		});                                                                                \
	}
#endif

/*
 * Defines the hit of a function's entry in both forms: as other probes have it, and as
 * ftrace calls it, where the kernel's registers begin ftrace's. The former is for kprobes
 * and for functions that share an ftrace_ops.
 */
#define STP_TRACED_TABLE(name, n) stp_traced_function *const name[n]
#ifdef __KERNEL__
#include "stp_facts.h"
#endif
#if defined(ARCH_FTRACE_BEGINS_WITH_REGS) && defined(STP_HAVE_FTRACE_REGS) &&                      \
	defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
#define STP_TRACED(name) name
#define STP_ENTRY_OF(name, traced, n, what)                                                        \
	static __attribute__((__noinline__, __used__)) void traced(                                \
		unsigned long ip, unsigned long parent, struct ftrace_ops *ops,                    \
		struct ftrace_regs *regs)                                                          \
	{                                                                                          \
		stp_hit_here(&(const struct stp_hit_args){                                         \
			.p = &probes[n],                                                           \
			.handler = what,                                                           \
			.regs = (struct pt_regs *)regs,                                            \
			.books = true,                                                             \
			.by_registers = true,                                                      \
		});                                                                                \
	}                                                                                          \
	static bool name(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,     \
			 int64_t *saved)                                                           \
	{                                                                                          \
		traced(0, 0, NULL, (struct ftrace_regs *)regs);                                    \
		return true;                                                                       \
	}
#else
#define STP_TRACED(name)		    NULL
#define STP_ENTRY_OF(name, traced, n, what) STP_HIT_OF(name, n, what, true)
#endif

/*
 * Defines the hit of a function's return in both forms: for kretprobes, and for the
 * function's wrapper, which the other two define, without and with a hit of the entry.
 */
#include "compat/wrapper.h"
#ifdef STP_WRAPS
#define STP_RETURN_OF(name, returned, n, what) STP_ENTRY_OF(name, returned, n, what)
#define STP_WRAPPER_OF(name, returned)	       ARCH_WRAPPER(name, "", returned)
#define STP_ENTRY_WRAPPER_OF(name, traced, returned)                                               \
	ARCH_WRAPPER(name, ARCH_WRAPPER_ENTRY(traced), returned)
#define STP_WRAPPER(name, first)                                                                   \
	{                                                                                          \
		.code = name, .places = name##_places, .entry = first                              \
	}
#else
#define STP_RETURN_OF(name, returned, n, what) STP_HIT_OF(name, n, what, true)
#define STP_WRAPPER_OF(name, returned)
#define STP_ENTRY_WRAPPER_OF(name, traced, returned)
#define STP_WRAPPER(name, first)                                                                   \
	{                                                                                          \
		.code = NULL                                                                       \
	}
#endif

#endif
