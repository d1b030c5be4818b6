/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that process.c keeps about processes and threads, by the address of their
 * signal_struct or task_struct. The addresses only identify them and are never
 * dereferenced.
 *
 * The table is fixed: nothing is allocated when processes begin and end. Look-ups take no
 * lock, because only a process's own threads change its data; the lock is for taking
 * places.
 */
#ifndef STP_PROCESS_TABLE_H
#define STP_PROCESS_TABLE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#define PLACES_TRIED 16 /* places searched for one process */

struct process {
	const void *key;	     /* NULL: free */
	const struct inode *program; /* only compared, like the key: with the program of a point */
	int due;		     /* begin, or thread.begin, has not been reported */
	bool ended;		     /* end has been reported; other threads are still exiting */
};

struct process_table {
	raw_spinlock_t lock;
	struct process *places;
	unsigned int bits;
	atomic_t ndue;
};

static inline int process_table_create(struct process_table *t, unsigned int n)
{
	n = roundup_pow_of_two(n);
	raw_spin_lock_init(&t->lock);
	atomic_set(&t->ndue, 0);
	t->bits = ilog2(n);
	t->places = kvcalloc(n, sizeof(*t->places), GFP_KERNEL);
	return t->places ? 0 : -ENOMEM;
}

static inline void process_table_free(struct process_table *t)
{
	kvfree(t->places);
	t->places = NULL;
}

static inline struct process *process_place(const struct process_table *t, const void *key,
					    unsigned int i)
{
	return &t->places[(hash_ptr(key, t->bits) + i) & ((1u << t->bits) - 1)];
}

static inline struct process *process_find(const struct process_table *t, const void *key)
{
	for (unsigned int i = 0; i < PLACES_TRIED; i++) {
		struct process *p = process_place(t, key, i);

		if (smp_load_acquire(&p->key) == key)
			return p;
	}
	return NULL;
}

/*
 * Takes a place; the lock is held. Places left by processes that have ended are used
 * last.
 */
static inline struct process *process_take(struct process_table *t, const void *key,
					   const struct inode *program, bool due)
{
	struct process *best = NULL;

	for (unsigned int i = 0; i < PLACES_TRIED; i++) {
		struct process *p = process_place(t, key, i);

		if (!p->key || (!best && p->ended))
			best = p;
		if (!p->key)
			break;
	}
	if (!best)
		return NULL;
	best->program = program;
	best->due = due;
	best->ended = false;
	if (due)
		atomic_inc(&t->ndue);
	smp_store_release(&best->key, key);
	return best;
}

/* Returns the process's place, and takes one if it has none; NULL: there is no room. */
static inline struct process *process_put(struct process_table *t, const void *key,
					  const struct inode *program, bool due)
{
	struct process *p;
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	p = process_find(t, key);
	if (!p)
		p = process_take(t, key, program, due);
	raw_spin_unlock_irqrestore(&t->lock, flags);
	return p;
}

/* The same for a new process: any entry with its key is stale. Its begin is due. */
static inline struct process *process_put_due(struct process_table *t, const void *key,
					      const struct inode *program)
{
	struct process *p = process_put(t, key, program, true);

	if (!p)
		return NULL;
	p->ended = false;
	WRITE_ONCE(p->program, program);
	if (!xchg(&p->due, 1))
		atomic_inc(&t->ndue);
	return p;
}

/* True the first time only. */
static inline bool process_is_due(struct process_table *t, struct process *p)
{
	if (!p || !READ_ONCE(p->due) || !xchg(&p->due, 0))
		return false;
	atomic_dec(&t->ndue);
	return true;
}

static inline void process_drop(struct process_table *t, struct process *p)
{
	process_is_due(t, p);
	smp_store_release(&p->key, NULL);
}

#endif
