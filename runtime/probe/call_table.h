/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of a function that have not returned, with the values that a return probe of
 * uprobe.c saves at entry, by task and stack pointer: when a function returns, the stack
 * pointer is just above its value at entry.
 *
 * Calls that never return keep their places. After longjmp() or an exception, the next
 * call of the task at the same or a higher address of the stack reuses the place. After
 * exit() and exec(), any task that finds no free place may reuse it.
 *
 * The books need each call once: as a hit at its return, as a missed return, or as a call
 * that did not return. A call without a place is missed if it returns.
 */
#ifndef STP_CALL_TABLE_H
#define STP_CALL_TABLE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arch_call.h"

#define CALLS_LEAST 256 /* a power of two */
/* Places that are searched for a call; the kernel follows no more calls of a task. */
#define CALLS_TRIED 64

/* A call that has not returned. */
struct call {
	u64 owner;	  /* call_owner_of() the task; 0: free */
	unsigned long sp; /* at entry */
	int64_t saved[];
};

struct call_table {
	void *places; /* NULL: no table */
	unsigned int bits;
	size_t size;	      /* of a call */
	bool switches_stacks; /* tasks run the function on several stacks */
	bool sees_returns;    /* of all calls: the kernel's other return addresses lose some */
	atomic64_t nlost;     /* calls without a place that have not returned */
	atomic64_t nmissed;   /* returns of such calls, or returns that the kernel misses */
	atomic64_t nended;    /* calls that ended without a return, as far as seen */
};

/* Makes room for `maxactive` calls (0: a default) that save `nsaved` values each. */
static inline int call_table_create(struct call_table *t, unsigned int maxactive,
				    unsigned int nsaved, bool switches_stacks)
{
	unsigned int n = roundup_pow_of_two(
		max_t(unsigned int, maxactive, maxactive ? CALLS_TRIED : CALLS_LEAST));

	t->bits = ilog2(n);
	t->size = struct_size((struct call *)NULL, saved, nsaved);
	t->switches_stacks = switches_stacks;
	t->places = kvcalloc(n, t->size, GFP_KERNEL);
	return t->places ? 0 : -ENOMEM;
}

static inline struct call *call_at(const struct call_table *t, unsigned int i)
{
	return t->places + (i & ((1u << t->bits) - 1)) * t->size;
}

/* Counts the calls that have not returned; at the end of the run they never will. */
static inline u64 call_table_unreturned(const struct call_table *t)
{
	u64 n = atomic64_read(&t->nended) + atomic64_read(&t->nlost);

	for (unsigned int i = 0; t->places && !(i >> t->bits); i++)
		n += READ_ONCE(call_at(t, i)->owner) != 0;
	return n;
}

/* Keeps the counts. */
static inline void call_table_free(struct call_table *t)
{
	atomic64_set(&t->nended, call_table_unreturned(t));
	atomic64_set(&t->nlost, 0);
	kvfree(t->places);
	t->places = NULL;
}

/* Counts the return of a call that has no place, unless it began before the run. */
static inline void call_return_unknown(struct call_table *t)
{
	if (atomic64_dec_if_positive(&t->nlost) >= 0)
		atomic64_inc(&t->nmissed);
}

/* Returns a number for a task and its program, because the kernel reuses task numbers. */
static inline u64 call_owner_of(const struct task_struct *task)
{
	return (u64)task->pid << 32 | hash_64(task->start_boottime + task->self_exec_id, 32);
}

/* True: the owner is alive. A task that is ending hits no more probes. */
static inline bool call_owner_lives(u64 owner)
{
	const struct task_struct *task;
	bool lives;

	rcu_read_lock();
	task = pid_task(find_pid_ns(owner >> 32, &init_pid_ns), PIDTYPE_PID);
	lives = task && call_owner_of(task) == owner && !(READ_ONCE(task->flags) & PF_EXITING);
	rcu_read_unlock();
	return lives;
}

static inline unsigned int call_place(const struct call_table *t, u64 me)
{
	return hash_64(me, t->bits);
}

/*
 * Returns where a call counts whose place is taken by one that begins now. It is lower on
 * the stack, so that it has ended, for the kernel and for us. If the two are on different
 * stacks, it may not have ended, and the kernel will miss its return.
 */
static inline atomic64_t *call_count_of(struct call_table *t, unsigned long before,
					unsigned long now)
{
	bool is_elsewhere = before < now &&
			    (t->switches_stacks || !__on_sig_stack(before) != !__on_sig_stack(now));

	if (!is_elsewhere)
		return &t->nended;
	return t->sees_returns ? &t->nlost : &t->nmissed;
}

/*
 * Takes a place for a call. Only the task itself changes its places, as long as it lives.
 */
static inline struct call *call_take(struct call_table *t, u64 me, unsigned long sp,
				     bool from_the_dead)
{
	unsigned int place = call_place(t, me);

	for (unsigned int i = 0; i < CALLS_TRIED; i++) {
		struct call *c = call_at(t, place + i);
		u64 owner = READ_ONCE(c->owner);

		if (owner == me && c->sp > sp)
			continue;
		if (owner != me && owner && !(from_the_dead && !call_owner_lives(owner)))
			continue;
		if (owner != me && cmpxchg(&c->owner, owner, me) != owner)
			continue;
		if (owner)
			atomic64_inc(owner == me ? call_count_of(t, c->sp, sp) : &t->nended);
		c->sp = sp;
		return c;
	}
	return NULL;
}

/* Begins a call of the current task. If there is no place, notes it and returns NULL. */
static inline struct call *call_begin(struct call_table *t, unsigned long sp)
{
	u64 me = call_owner_of(current);
	struct call *c = call_take(t, me, sp, false) ?: call_take(t, me, sp, true);

	if (!c)
		atomic64_inc(&t->nlost);
	return c;
}

/* Finds the call of the current task that began with the stack pointer at `sp`. */
static inline struct call *call_find(struct call_table *t, unsigned long sp)
{
	u64 me = call_owner_of(current);
	unsigned int place = call_place(t, me);

	for (unsigned int i = 0; i < CALLS_TRIED; i++) {
		struct call *c = call_at(t, place + i);

		if (READ_ONCE(c->owner) == me && c->sp == sp)
			return c;
	}
	return NULL;
}

/*
 * Calls of goroutines. Their stacks are copied to other addresses while functions run, so
 * that calls are known by their distance from the stack's end.
 */
#define CALLS_OF_GO 4096

struct goroutine {
	u64 owner;
	unsigned long depth;
};

/*
 * Finds the current goroutine by its structure, which begins with the addresses of its
 * stack's two ends. False: that cannot be read.
 */
static inline bool goroutine_find(struct pt_regs *regs, struct goroutine *ret)
{
	unsigned long g = arch_goroutine(regs), stack[2];

	if (copy_from_user(stack, (const void __user *)g, sizeof(stack)))
		return false;
	ret->owner = (u64)current->tgid << 42 ^ g;
	ret->depth = user_stack_pointer(regs) - stack[1];
	return ret->owner;
}

static inline struct call *call_of_go(const struct call_table *t, const struct goroutine *go,
				      unsigned int i)
{
	return call_at(t, call_place(t, go->owner ^ (u64)go->depth << 20) + i);
}

/*
 * Begins a call of a goroutine. A panic, or the goroutine's end, leaves calls behind, and
 * which goroutines still exist is not known: if all places that are tried are taken, the
 * call replaces another.
 */
static inline struct call *call_begin_in_go(struct call_table *t, const struct goroutine *go)
{
	struct call *c;

	for (unsigned int i = 0; i < CALLS_TRIED; i++) {
		c = call_of_go(t, go, i);
		if (READ_ONCE(c->owner) == go->owner && c->sp == go->depth) {
			atomic64_inc(&t->nended);
			return c;
		}
		if (!READ_ONCE(c->owner) && !cmpxchg(&c->owner, 0, go->owner)) {
			c->sp = go->depth;
			return c;
		}
	}
	atomic64_inc(&t->nlost);
	c = call_of_go(t, go, 0);
	WRITE_ONCE(c->owner, go->owner);
	c->sp = go->depth;
	return c;
}

/* Finds a goroutine's call that returns. */
static inline struct call *call_find_in_go(const struct call_table *t, const struct goroutine *go)
{
	for (unsigned int i = 0; i < CALLS_TRIED; i++) {
		struct call *c = call_of_go(t, go, i);

		if (READ_ONCE(c->owner) == go->owner && c->sp == go->depth)
			return c;
	}
	return NULL;
}

static inline void call_end(struct call *c)
{
	smp_store_release(&c->owner, 0);
}

#endif
