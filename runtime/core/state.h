/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the running script that the parts of core/ share and nobody else sees: one
 * struct stp_cpu for each CPU and one more, the last, for the probes that may sleep. Only
 * its own CPU writes a struct stp_cpu, inside the hit protocol (hit.c); others read
 * single words of it.
 */
#ifndef STP_STATE_H
#define STP_STATE_H

#include "api.h"
#include "core/lastmatch.h"
#include "core/port.h"
#include "core/ring.h"
#include "core/session.h"
#include "core/stat.h"

/*
 * The books of one probe on one CPU. The number of hits is the sum of all members, but
 * for the reasons that do not count.
 */
struct stp_book {
	uint64_t delivered, dropped;
	uint64_t skipped[STP_SKIP_COUNT];
};
_Static_assert(sizeof(struct stp_book) == 64, "a power of two: found by a shift");

/*
 * The cycles that a probe's handlers took on a CPU: given - left. A hit counts `left`
 * down; when it is negative, the overload is looked at, and more is given.
 */
struct stp_time {
	int64_t left;
	uint64_t given;
};

/* Value of `pending` while the time of a hit is being taken. */
#define STP_PENDING_BUSY UINT64_MAX
/* Room after the staged items, in which sprintf of %m lays out its arguments. */
#define STP_SCRATCH_BYTES 16384

struct stp_cpu {
	struct stp_ctx ctx;
	struct stp_ring ring;
	/*
	 * Time of the output being made, which its records have, or 0, or
	 * STP_PENDING_BUSY; read by the horizon.
	 */
	uint64_t pending;
	uint32_t busy;	  /* a handler runs; also seen by the NMI that interrupts it */
	uint64_t adding;  /* locks held for adding: their bits */
	uint32_t hooking; /* a return probe begins */
	bool printing;	  /* the hit has output: its time is taken and pending */
	bool simple;	  /* the output is the record being made, in the ring, and no more */
	bool counts;	  /* the hit counts in the books and ended well */
	bool lost;	  /* some output of this hit found no room: all of it is dropped */
	uint32_t notices; /* warnings and errors among the hit's records */
	bool in_place;	  /* output can be simple: see simpleoutput.h */
	bool tells_task;  /* it can, and begins with the task that was hit */
	uint8_t *body;	  /* of the record being made, up to ctx.out: in the ring, or in `stage` */
	uint8_t *stage;	  /* STP_RECORD_MAX bytes for records not made in the ring, and scratch */
	unsigned long irq_flags; /* of the interrupts, as the hit found them */
	uint32_t cycles_from;	 /* when the hit began */
	/*
	 * The same as cycles_from, in 64 bits, for a hit that has taken another piece of
	 * its budget; otherwise 0.
	 */
	uint64_t began;
	uint64_t interval_start;
	uint64_t interval_spent;
	uint64_t errors, notices_lost;
	struct stp_book *books;	      /* one per probe */
	struct stp_time *times;	      /* one per probe */
	struct stp_stat_data *merged; /* result of stp_stat_read() */
	int64_t process; /* the sleeping one's: the process that runs a handler with it, or 0 */
};

/* Beside the state: hits have to ask whether their task is meant. */
#define STP_STATE_FILTERED 0x100
#define STP_STATE_SWITCHED 0x200 /* some probe is off */
#define STP_STATE_FLAGS	   (STP_STATE_FILTERED | STP_STATE_SWITCHED)

struct stp_runtime {
	int32_t state; /* enum stp_state, and STP_STATE_FLAGS until the script ends */
	int32_t failed;
	int32_t overloaded;  /* 1 + the CPU of which probes took too much, or 0 */
	int32_t error_count; /* for MAXERRORS */
	int32_t skip_count;  /* for MAXSKIPPED */
	int32_t cut_said;    /* the warning about cut strings was given */
	uint32_t on_full;    /* enum stp_on_full */
	bool as_data;	     /* the reader wants tasks and the numbers of histograms */
	uint64_t map_bytes;  /* bytes that arrays take */
	uint8_t *off;	     /* 1 for each probe that is switched off */
	uint64_t started;    /* port_realtime_ns(), or 0 */
	struct stp_zone zone;
	int64_t starters[STP_STARTERS]; /* staprun and stap, which wait for it; 0: none */
	unsigned ncpus;			/* cpus[ncpus] is the sleeping one */
	struct stp_cpu **cpus;		/* NULL for a CPU that can never exist */
	void **states;	    /* of families, one per probe; they follow in the same block */
	int families_added; /* number of rows of families.def that are added */
	bool run_end;	    /* markers: end probes are wanted */
	struct stp_sums {
		uint64_t until; /* port_monotonic_ns(): they are taken again from then on */
		uint64_t delivered, dropped, skipped;
	} sums; /* of the books, for those who ask for the state often */
	char setup_error[256];
};
extern struct stp_runtime stp_runtime;

/* Returns the struct stp_cpu of this CPU; interrupts are off. */
#ifdef __KERNEL__
DECLARE_PER_CPU(struct stp_cpu *, stp_here);
static __always_inline struct stp_cpu *stp_cpu_here(void)
{
	return raw_cpu_read(stp_here);
}
#else
static __always_inline struct stp_cpu *stp_cpu_here(void)
{
	return stp_runtime.cpus[port_this_cpu()];
}
#endif

/*
 * True: this probe's hits are wanted, here and now; interrupts are off. Nothing can hit
 * before STARTING. Nothing rare is called: every hit would have to keep its arguments on
 * the stack. A variable whose address is taken would bring the stack protector, 7
 * instructions, into every hit.
 */
static __always_inline bool stp_hit_is_wanted(const struct stp_probe *p)
{
	uint32_t state = (uint32_t)READ_ONCE(stp_runtime.state);

	if (likely(state <= STP_RUNNING))
		return true;
	if (unlikely(state & STP_STATE_SWITCHED)) {
		if (READ_ONCE(stp_runtime.off[p->index]))
			return false;
		state &= ~(uint32_t)STP_STATE_SWITCHED;
	}
	return state <= STP_RUNNING ||
	       (state - STP_STATE_FILTERED <= STP_RUNNING &&
		(port_task_passes() || p->family->is_of_script || p->unfiltered));
}

static inline struct stp_cpu *stp_cpu_of(struct stp_ctx *c)
{
	return (struct stp_cpu *)c; /* its first member */
}

/*
 * output.c: publishes the output of the hit, when cpu->printing; false when it was
 * dropped.
 */
bool stp_output_end(struct stp_cpu *cpu, bool counts);
/* The end of simple output of that many bytes, whatever the ring's state. */
void stp_output_simple_end(struct stp_cpu *cpu, uint64_t bytes) __attribute__((cold));
/* overwrite.c: makes that much room in the ring, if taking away earlier hits can. */
void stp_overwrite(struct stp_cpu *cpu, uint64_t need);
/* Writes one record of text outside any hit's output, at once; counts lost ones. */
void stp_output_notice(struct stp_cpu *cpu, enum stp_record_kind kind, const char *text, size_t len)
	__attribute__((cold));

/* context.c: the error that abort() raises; compared by address. */
extern const char stp_aborted[];
/*
 * Error of a hit that could not have an array in time after it had begun: it counts as
 * skipped for the lock, and no catch takes it.
 */
extern const char stp_given_up[];
/*
 * Error of a hit that met a missing page of the program, and may be repeated when the
 * page is there: it counts nowhere, and no catch takes it.
 */
extern const char stp_absent[];
/*
 * Error of a budget used up by keys that lie in one bucket; raised where no function can
 * be called.
 */
extern const char stp_chain_spent[];
/* context.c: finishes a run-time error: the record, MAXERRORS. */
void stp_error_finish(struct stp_cpu *cpu) __attribute__((cold));

/* string.c: warns that a string did not fit, once in a run. */
void stp_string_cut(struct stp_ctx *c) __attribute__((cold));

/*
 * A probe that only adds publishes the lock's bit in its CPU's word, and then looks
 * whether the lock is held in another mode. A probe that wants another mode takes the
 * lock, and then looks for bits in all CPUs' words (lock.c). So one of the two sees the
 * other.
 */
static __always_inline bool stp_lock_try_add(struct stp_cpu *cpu, const struct stp_lock *lock)
{
	WRITE_ONCE(cpu->adding, cpu->adding | lock->adders);
	smp_mb();
	if (likely(!READ_ONCE(lock->state)))
		return true;
	smp_store_release(&cpu->adding, cpu->adding & ~lock->adders);
	return false;
}

static __always_inline bool stp_lock_try(struct stp_cpu *cpu, const struct stp_lock_use *use)
{
	int32_t *state = &use->lock->state, old = READ_ONCE(*state);

	if (use->mode == STP_LOCK_ADD)
		return stp_lock_try_add(cpu, use->lock);
	if (use->mode != STP_LOCK_READ)
		return old == 0 && try_cmpxchg32(state, &old, -1);
	return old >= 0 && old < INT32_MAX && try_cmpxchg32(state, &old, old + 1);
}

static __always_inline void stp_lock_give_back(struct stp_cpu *cpu, const struct stp_lock_use *use)
{
	if (use->mode == STP_LOCK_ADD)
		smp_store_release(&cpu->adding, cpu->adding & ~use->lock->adders);
	else if (use->mode != STP_LOCK_READ)
		smp_store_release(&use->lock->state, 0);
	else
		__atomic_sub_fetch(&use->lock->state, 1, __ATOMIC_RELEASE);
}

/*
 * lock.c: takes one lock. False: it stayed taken, and the tries are used up. The CPU is
 * that of an adder (STP_LOCK_ADD); for other modes it is any.
 */
bool stp_lock_take(struct stp_cpu *cpu, const struct stp_lock_use *use, uint32_t *tries);
/* lock.c: takes all locks in order, or none; false when one stayed taken. */
bool stp_locks_take_all(struct stp_cpu *cpu, const struct stp_probe *p);
void stp_locks_release_all(struct stp_cpu *cpu, const struct stp_probe *p);

/* The same for the usual handlers: they have no lock, or one, which is free. */
static __always_inline bool stp_locks_take(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (!p->nlocks)
		return true;
	if (p->nlocks == 1 && p->locks->mode != STP_LOCK_ALONE &&
	    likely(stp_lock_try(cpu, p->locks)))
		return true;
	return stp_locks_take_all(cpu, p);
}

static __always_inline void stp_locks_release(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (p->nlocks == 1)
		stp_lock_give_back(cpu, p->locks);
	else if (p->nlocks)
		stp_locks_release_all(cpu, p);
}

/* Counts atomically: the hit may have interrupted one that is being counted. */
static __always_inline void stp_skip_count(struct stp_cpu *cpu, const struct stp_probe *p,
					   enum stp_skip_reason reason)
{
	__atomic_add_fetch(&cpu->books[p->index].skipped[reason], 1, __ATOMIC_RELAXED);
}

/* context.c: records a hit that does not run, or ran into an error. */
void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, enum stp_skip_reason reason);

/* context.c: sets the budget that a hit begins with, as the limits say. */
void stp_budget_set(struct stp_ctx *c) __attribute__((cold));

/*
 * hit.c: lets the hit go on after a piece of its budget. False: it has taken more of a
 * CPU than a script may; the error is raised.
 */
bool stp_hit_goes_on(struct stp_cpu *cpu) __attribute__((cold));

/* hit.c: says which probe has taken too much of a CPU; in the sleeping context. */
void stp_overload_tell(void) __attribute__((cold));
/* books.c: the cycles that the probe's hits have taken on that CPU. */
uint64_t stp_books_cycles(const struct stp_cpu *cpu, uint32_t probe) __attribute__((cold));

/* hit.c: writes a record in the sleeping context, outside any hit. */
void stp_slow_notice(enum stp_record_kind kind, const char *text) __attribute__((cold));

/* session.c: ends the run as a failed one. */
void stp_session_fail(void);

#endif
