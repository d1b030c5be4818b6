/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of a function that have not returned, with the values that a return probe of
 * uprobe.c saves at entry, by task and stack pointer: when a function returns, the stack
 * pointer is just above its value at entry.
 *
 * Calls that never return keep their places. After longjmp(), the next call of the task
 * at the same or a higher address of the stack reuses the place. After exit() and exec(),
 * any task that finds no free place may reuse it.
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
	atomic64_t nmissed;   /* calls that found no place, or lost it before their return */
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

/* Keeps the count of misses. */
static inline void call_table_free(struct call_table *t)
{
	kvfree(t->places);
	t->places = NULL;
}

static inline struct call *call_at(const struct call_table *t, unsigned int i)
{
	return t->places + (i & ((1u << t->bits) - 1)) * t->size;
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
 * A call that is lower on the stack than one that begins now has ended, for the kernel
 * and for us. If the two are on different stacks, it may not have ended: then its return
 * will be missed.
 */
static inline bool call_is_elsewhere(const struct call_table *t, unsigned long before,
				     unsigned long now)
{
	return before < now &&
	       (t->switches_stacks || !__on_sig_stack(before) != !__on_sig_stack(now));
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
		if (owner == me && call_is_elsewhere(t, c->sp, sp))
			atomic64_inc(&t->nmissed);
		c->sp = sp;
		return c;
	}
	return NULL;
}

/* Begins a call of the current task. If there is no place, counts it and returns NULL. */
static inline struct call *call_begin(struct call_table *t, unsigned long sp)
{
	u64 me = call_owner_of(current);
	struct call *c = call_take(t, me, sp, false) ?: call_take(t, me, sp, true);

	if (!c)
		atomic64_inc(&t->nmissed);
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
 * stack's two ends. False: that cannot be read, and the call is counted as missed.
 */
static inline bool goroutine_find(struct call_table *t, struct pt_regs *regs, struct goroutine *ret)
{
	unsigned long g = arch_goroutine(regs), stack[2];

	if (copy_from_user(stack, (const void __user *)g, sizeof(stack))) {
		atomic64_inc(&t->nmissed);
		return false;
	}
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
		if (READ_ONCE(c->owner) == go->owner && c->sp == go->depth)
			return c;
		if (!READ_ONCE(c->owner) && !cmpxchg(&c->owner, 0, go->owner)) {
			c->sp = go->depth;
			return c;
		}
	}
	atomic64_inc(&t->nmissed);
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
