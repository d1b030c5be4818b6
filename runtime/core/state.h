/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the running script that only the parts of core/ share: one struct stp_cpu for
 * each CPU and one more, the last, for probes that may sleep. Only its own CPU writes a
 * struct stp_cpu, inside the hit protocol (hit.c). Others read single words of it.
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
 * The books of one probe on one CPU. The number of hits is the sum of all members except
 * the reasons that do not count.
 */
struct stp_book {
	uint64_t delivered, dropped;
	uint64_t skipped[STP_SKIP_COUNT];
};
_Static_assert(sizeof(struct stp_book) == 64, "a power of two: found by a shift");

/*
 * The cycles that a probe's handlers took on a CPU: given - left. A hit subtracts from
 * `left`. When that becomes negative, the overload is checked, and more cycles are given.
 */
struct stp_time {
	int64_t left;
	uint64_t given;
};

/* The value of `pending` while the time of a hit is being read. */
#define STP_PENDING_BUSY UINT64_MAX
/* Points with code of their own, at most, in BPF programs. */
#define STP_OWN_HITS 4
/* Room after the staged items, where sprintf of %m places its arguments. */
#define STP_SCRATCH_BYTES 16384

struct stp_cpu {
	struct stp_ctx ctx;
	struct stp_ring ring;
	/*
	 * The time of the output being made, which its records get, or 0, or
	 * STP_PENDING_BUSY. Read by the horizon.
	 */
	uint64_t pending;
	union {
		struct {
			uint32_t busy; /* a handler runs; also seen by the NMI that interrupts it */
			uint32_t asks; /* hits must ask stp_hit_is_wanted(); set by any CPU */
		};
		uint64_t closed; /* 0: a hit may run at once */
	};
	uint64_t adding;  /* the bits of the locks that are held for adding */
	uint32_t hooking; /* the entry of a return probe is running */
	bool printing;	  /* the hit has output: its time was read and is pending */
	bool counts;	  /* the hit counts in the books and ended well */
	bool lost;	  /* there was no room for some output of this hit: all of it is dropped */
	uint32_t notices; /* warnings and errors among the hit's records */
	bool in_place;	  /* output can be simple: see simpleoutput.h */
	bool tells_task;  /* it can, and begins with the task of the hit */
	uint8_t *body;	  /* of the record being made, up to ctx.out: in the ring, or in `stage` */
	uint8_t *stage;	  /* STP_RECORD_MAX bytes for records not made in the ring, and scratch */
	unsigned long irq_flags; /* of the interrupts before the hit */
	uint32_t cycles_from;	 /* when the hit began */
	uint32_t weight;	 /* hits for which its time counts; with PORT_SAMPLES */
	/*
	 * The same as cycles_from, in 64 bits, for a hit that has taken another piece of
	 * its budget; otherwise 0.
	 */
	uint64_t began;
	uint64_t interval_start;
	uint64_t interval_spent;
	uint64_t errors, notices_lost;
	struct stp_time *times;	      /* one per probe */
	struct stp_stat_data *merged; /* result of stp_stat_read() */
	int64_t process; /* for sleeping probes: the process that runs a handler here, or 0 */
#if defined(__bpf__) || defined(STP_BPF)
	/* Hits up to the next one whose time is taken: bpf/ownhit.h */
	int64_t untimed[STP_OWN_HITS];
	uint64_t has_locks; /* the hit whose time is taken has taken its locks */
#endif
	struct stp_book books[]; /* one per probe */
};

/* Flags of the state: hits must check whether their task is the target's. */
#define STP_STATE_FILTERED 0x100
#define STP_STATE_SWITCHED 0x200 /* some probe is off */
#define STP_STATE_FLAGS	   (STP_STATE_FILTERED | STP_STATE_SWITCHED)

struct stp_runtime {
	int32_t state; /* enum stp_state, and STP_STATE_FLAGS until the script ends */
	int32_t failed;
	int32_t overloaded;  /* 1 + the CPU that probes have overloaded, or 0 */
	int32_t error_count; /* for MAXERRORS */
	int32_t skip_count;  /* for MAXSKIPPED */
	int32_t cut_said;    /* the warning about cut strings was given */
	uint32_t on_full;    /* enum stp_on_full */
	bool as_data;	     /* the reader needs tasks and the numbers of histograms */
	bool verbose;	     /* the reader wants all names of a warning */
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
		uint64_t until; /* port_monotonic_ns(): from then on they are computed again */
		uint64_t delivered, dropped, skipped;
	} sums; /* of the books, for frequent requests of the state */
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
 * True: this hit of the probe should run; interrupts are off. Nothing can hit before
 * STARTING. No rare function is called here, because every hit would then have to keep
 * its arguments on the stack. No address of a variable is taken, because that would add
 * the stack protector, 7 instructions, to every hit.
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

/* output.c: publishes the output of the hit, if cpu->printing. False: it was dropped. */
bool stp_output_end(struct stp_cpu *cpu, bool counts);
/* Ends simple output of that many bytes in any state of the ring. */
void stp_output_simple_end(struct stp_cpu *cpu, uint64_t bytes) __attribute__((cold));
/* overwrite.c: tries to make that much room in the ring by removing earlier hits. */
void stp_overwrite(struct stp_cpu *cpu, uint64_t need);
/* Writes one record of text outside any hit's output, at once; counts lost ones. */
void stp_output_notice(struct stp_cpu *cpu, enum stp_record_kind kind, const char *text, size_t len)
	__attribute__((cold));

/* context.c: the error that abort() raises; compared by address. */
extern const char stp_aborted[];
/*
 * The error of a hit that could not get an array in time after it had begun. It counts as
 * skipped for the lock, and cannot be caught.
 */
extern const char stp_given_up[];
/*
 * The error of a hit that found a page of the program missing. The hit may be repeated
 * once the page is loaded. The error is not counted, and cannot be caught.
 */
extern const char stp_absent[];
/*
 * The error of a budget used up by keys in one bucket. Raised where no function can be
 * called.
 */
extern const char stp_chain_spent[];
/* context.c: finishes a run-time error: the record, MAXERRORS. */
void stp_error_finish(struct stp_cpu *cpu) __attribute__((cold));

/* string.c: warns that a string did not fit, once in a run. */
void stp_string_cut(struct stp_ctx *c) __attribute__((cold));

/*
 * The code of every hit. In BPF programs, where code is made small, only those hits have
 * it inline that have code of their own.
 */
#if defined(__bpf__) && !defined(STP_BPF_RUNTIME)
#define STP_HIT_INLINE inline __attribute__((__always_inline__))
#else
#define STP_HIT_INLINE __always_inline
#endif

/*
 * A probe that only adds publishes the lock's bit in its CPU's word, and then checks
 * whether the lock is held in another mode. A probe that needs another mode takes the
 * lock, and then checks the bits in all CPUs' words (lock.c). So one of the two sees the
 * other.
 */
static STP_HIT_INLINE bool stp_lock_try_add(struct stp_cpu *cpu, const struct stp_lock *lock)
{
	WRITE_ONCE(cpu->adding, cpu->adding | lock->adders);
	smp_mb();
	if (likely(!smp_load_acquire(&lock->state))) /* what its last holder wrote is seen */
		return true;
	smp_store_release(&cpu->adding, cpu->adding & ~lock->adders);
	return false;
}

static STP_HIT_INLINE bool stp_lock_try(struct stp_cpu *cpu, const struct stp_lock_use *use)
{
	int32_t *state = &use->lock->state, free = 0, old;

	if (use->mode == STP_LOCK_ADD)
		return stp_lock_try_add(cpu, use->lock);
	if (use->mode != STP_LOCK_READ)
		return try_cmpxchg32(state, &free, -1);
	old = READ_ONCE(*state);
	return old >= 0 && old < INT32_MAX && try_cmpxchg32(state, &old, old + 1);
}

/* Not for STP_LOCK_ALL, as the function above. */
static STP_HIT_INLINE void stp_lock_give_back(struct stp_cpu *cpu, const struct stp_lock_use *use)
{
	if (use->mode == STP_LOCK_ADD)
		smp_store_release(&cpu->adding, cpu->adding & ~use->lock->adders);
	else if (use->mode != STP_LOCK_READ)
		smp_store_release(&use->lock->state, 0);
	else
		__atomic_sub_fetch(&use->lock->state, 1, __ATOMIC_RELEASE);
}

/* lock.c: waits for a lock by using up one more try; false: none is left. */
bool stp_lock_wait(uint32_t *tries);
/*
 * lock.c: takes one lock. False: it stayed taken until the tries were used up. For
 * STP_LOCK_ADD, the CPU is the adder's; for other modes it can be any.
 */
bool stp_lock_take(struct stp_cpu *cpu, const struct stp_lock_use *use, uint32_t *tries);
void stp_lock_release(struct stp_cpu *cpu, const struct stp_lock_use *use);
/* lock.c: takes all locks in order, or none. False: one stayed taken. */
bool stp_locks_take_all(struct stp_cpu *cpu, const struct stp_probe *p);
void stp_locks_release_all(struct stp_cpu *cpu, const struct stp_probe *p);

/* The same for the usual handlers: they have no lock, or one, which is free. */
static STP_HIT_INLINE bool stp_locks_take(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (!p->nlocks)
		return true;
	if (p->nlocks == 1 && p->locks->mode < STP_LOCK_ALONE &&
	    likely(stp_lock_try(cpu, p->locks)))
		return true;
	return stp_locks_take_all(cpu, p);
}

static STP_HIT_INLINE void stp_locks_release(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (p->nlocks == 1 && p->locks->mode != STP_LOCK_ALL)
		stp_lock_give_back(cpu, p->locks);
	else if (p->nlocks)
		stp_locks_release_all(cpu, p);
}

/* Counts atomically, because the hit may have interrupted one that is being counted. */
static __always_inline void stp_skip_count(struct stp_cpu *cpu, const struct stp_probe *p,
					   enum stp_skip_reason reason)
{
	__atomic_add_fetch(&cpu->books[p->index].skipped[reason], 1, __ATOMIC_RELAXED);
}

/* context.c: records a hit that does not run, or that failed. */
void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, enum stp_skip_reason reason);

/* Statements in a piece of the budget: large ones are given out piece by piece. */
#define STP_BUDGET_PIECE_ACTIONS 100000

/* context.c: sets the initial budget of a hit by the limits. */
void stp_budget_set(struct stp_ctx *c) __attribute__((cold));

/*
 * hit.c: lets the hit continue after a piece of its budget. False: it has taken more of a
 * CPU's time than allowed, and the error was raised.
 */
bool stp_hit_goes_on(struct stp_cpu *cpu) __attribute__((cold));

/*
 * hit.c: reports the probe that has taken too much of a CPU's time; in the sleeping
 * context.
 */
void stp_overload_tell(void) __attribute__((cold));
/* books.c: the cycles that the probe's hits have taken on that CPU. */
uint64_t stp_books_cycles(const struct stp_cpu *cpu, uint32_t probe) __attribute__((cold));

/* hit.c: writes a record in the sleeping context, outside any hit. */
void stp_slow_notice(enum stp_record_kind kind, const char *text) __attribute__((cold));

/* session.c: ends the run as a failed one. */
void stp_session_fail(void);

#endif
