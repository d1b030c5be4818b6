/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays whose elements have locks of their own (api/shards.h). Their keys are numbers,
 * and they grow. A shard has all elements whose hash has the same low bits. These choose
 * the bucket, too, so the elements of a bucket are all of one shard, and so are those of
 * the bucket that it is split into. Whoever holds the shard has its buckets, its elements
 * and its free entries for himself. So handlers with different keys write no memory in
 * common.
 *
 * The order of creation goes over all shards. Each shard has a list of its own, with the
 * time of creation in each entry, and gather() merges these lists into the map's one,
 * which walks follow. There the time is 0. To remove an element from the map's list, and
 * to take unused entries, a hit needs map->making for a moment.
 */
#include "core/shards.h"

#include "core/find.h"
#include "core/port.h"
#include "core/state.h"

/* Shards for each processor: two that are busy seldom meet. */
#define SHARDS_EACH  16u
#define SHARDS_LEAST 16u
#define SHARDS_MOST  256u
/* Entries that a shard takes at a time; they lie side by side. */
#define SHARDS_BATCH 16u
/* How often a taken shard is looked at before the processor waits as for a lock. */
#define SHARDS_SPINS 500
/* Lists being merged: one for each power of two. */
#define SHARDS_RUNS 9
/* Units of work: to merge an element. */
#define SHARDS_WORK 20

static bool shards_create(struct stp_map *m)
{
	uint32_t wanted = SHARDS_EACH * port_cpu_count(), n = SHARDS_LEAST;

	while (n < wanted && n < SHARDS_MOST)
		n *= 2;
	m->shards = port_alloc(n * sizeof(*m->shards));
	m->shard_mask = n - 1;
	return m->shards != NULL;
}

static void shards_clear(struct stp_map *m)
{
	for (uint32_t i = 0; i <= m->shard_mask; i++) {
		struct stp_shard *s = &m->shards[i];

		s->free = s->count = s->oldest = s->newest = 0;
	}
	m->handed = 0;
}

static uint32_t shards_count(const struct stp_map *m)
{
	uint32_t ret = READ_ONCE(m->count);

	for (uint32_t i = 0; i <= m->shard_mask; i++)
		ret += READ_ONCE(m->shards[i].count);
	return ret;
}

/* ---- locks ---- */

static bool lock_wait_for(int32_t *state, int32_t who, uint32_t *tries)
{
	for (;;) {
		for (int i = 0; i < SHARDS_SPINS; i++) {
			int32_t free = 0;

			if (!READ_ONCE(*state) && try_cmpxchg32(state, &free, who))
				return true;
		}
		if (!stp_lock_wait(tries))
			return false;
	}
}

/* Waits as long for all shards of the hit together as for one. */
struct stp_shard *stp_shards_take_late(struct stp_ctx *c, struct stp_lock *lock,
				       struct stp_shard *s)
{
	if (c->waited != c->serial) {
		c->waited = c->serial;
		c->tries = stp_script.limits.trylock;
	}
	if (lock_wait_for(&s->state, (int32_t)c->cpu + 1, &c->tries))
		return s;
	__atomic_add_fetch(&lock->refused, 1, __ATOMIC_RELAXED);
	stp_raise(c, stp_given_up);
	return NULL;
}

struct stp_shard *stp_shards_take(struct stp_ctx *c, struct stp_lock *lock, struct stp_map *m,
				  const union stp_key *k)
{
	return shards_take(c, lock, stp_shards_of(m, map_hash_longs(m, k)));
}

static void shards_release_first(struct stp_map *m, uint32_t n)
{
	while (n--)
		stp_shards_release(&m->shards[n]);
}

/* One hit at a time takes all shards: two of them would take each other's time. */
static bool shards_take_all(struct stp_cpu *cpu, struct stp_lock *lock, uint32_t *tries)
{
	struct stp_map *m = *lock->array;
	int32_t who = (int32_t)cpu->ctx.cpu + 1;

	if (!lock_wait_for(&lock->state, who, tries))
		return false;
	for (uint32_t i = 0; i <= m->shard_mask; i++) {
		if (lock_wait_for(&m->shards[i].state, who, tries))
			continue;
		shards_release_first(m, i);
		smp_store_release(&lock->state, 0);
		return false;
	}
	return true;
}

static void shards_release_all(struct stp_lock *lock)
{
	struct stp_map *m = *lock->array;

	shards_release_first(m, m->shard_mask + 1);
	smp_store_release(&lock->state, 0);
}

/* ---- elements ---- */

/* Returns a free entry of another shard, when no memory is left. */
static uint32_t shard_borrow(struct stp_ctx *c, struct stp_map *m)
{
	int32_t who = (int32_t)c->cpu + 1;

	for (uint32_t i = 0; i <= m->shard_mask; i++) {
		struct stp_shard *s = &m->shards[i];
		bool mine = READ_ONCE(s->state) == who;
		uint32_t n = 0;

		if (!READ_ONCE(s->free) || (!mine && !stp_shards_try(s, who)))
			continue;
		n = s->free;
		if (n)
			s->free = stp_map_entry(m, n)->chain;
		if (!mine)
			stp_shards_release(s);
		if (n)
			return n;
	}
	return 0;
}

/*
 * Splits buckets after unused entries were taken, the first to make more of them
 * necessary, as far as the shards of these buckets are free. The next time is the turn of
 * the others. Links to entries that were found before are no longer valid.
 */
static __attribute__((__noinline__)) void shards_split(struct stp_ctx *c, struct stp_map *m)
{
	int32_t who = (int32_t)c->cpu + 1;

	if (READ_ONCE(m->handed) <= READ_ONCE(m->active) || !stp_map_making_try(m))
		return;
	for (unsigned i = 0; i < 2 * SHARDS_BATCH && m->handed > m->active &&
			     m->active < smp_load_acquire(&m->buckets_ready);
	     i++) {
		struct stp_shard *s = stp_shards_of(m, m->active);
		bool mine = READ_ONCE(s->state) == who;

		if (!mine && !stp_shards_try(s, who))
			break;
		stp_map_split(c, m);
		if (!mine)
			stp_shards_release(s);
	}
	stp_map_making_end(m);
}

static __attribute__((__noinline__)) uint32_t shard_refill(struct stp_ctx *c, struct stp_map *m,
							   struct stp_shard *s)
{
	uint32_t n = 0;

	if (!stp_map_making_begin(c, m))
		return 0;
	for (unsigned i = 0; i < SHARDS_BATCH; i++) {
		n = stp_store_take_new(c, m, &m->classes[m->fixed_class]);
		if (!n)
			break;
		stp_map_entry(m, n)->chain = s->free;
		s->free = n;
		WRITE_ONCE(m->handed, m->handed + 1);
	}
	stp_map_making_end(m);
	n = s->free;
	if (likely(n))
		s->free = stp_map_entry(m, n)->chain;
	else
		n = shard_borrow(c, m);
	if (unlikely(!n))
		stp_map_overflow(c, m);
	return n;
}

static struct stp_map_entry *shards_add(struct stp_ctx *c, struct stp_map *m,
					const union stp_key *k, uint32_t hash, uint32_t *link)
{
	struct stp_shard *s = stp_shards_of(m, hash);
	struct stp_map_entry *e;
	uint32_t n = s->free;
	bool refills = !n;

	if (stp_failed(c)) /* maybe before the end of the chain was found */
		return NULL;
	if (likely(n))
		s->free = stp_map_entry(m, n)->chain;
	else
		n = shard_refill(c, m, s);
	if (unlikely(!n))
		return NULL;
	e = stp_map_entry(m, n);
	e->hash = hash;
	e->chain = 0;
	stp_map_fill(m, e, k);
	stp_shards_append(c, m, s, e, n);
	map_forget(c);
	smp_store_release(link, n);
	if (unlikely(refills))
		shards_split(c, m);
	return e;
}

static void shards_remove(struct stp_ctx *c, struct stp_map *m, struct stp_map_entry *e,
			  uint32_t *link)
{
	struct stp_shard *s = stp_shards_of(m, e->hash);
	uint32_t n = *link;

	if (likely(*stp_shards_stamp(m, e))) {
		stp_shards_unlink(m, s, e);
	} else {
		if (!stp_map_making_begin(c, m))
			return;
		stp_map_unlink(m, e, &m->oldest, &m->newest);
		WRITE_ONCE(m->count, m->count - 1);
		stp_map_making_end(m);
	}
	*link = e->chain;
	map_forget(c);
	e->chain = s->free;
	s->free = n;
}

/* ---- the order of creation ---- */

/* Merges two lists that are linked by `next`; of equals, the first list's come first. */
static uint32_t lists_merge(const struct stp_map *m, uint32_t a, uint32_t b)
{
	uint32_t ret = 0, *link = &ret;

	while (a && b) {
		struct stp_map_entry *x = stp_map_entry(m, a), *y = stp_map_entry(m, b);

		if (*stp_shards_stamp(m, x) <= *stp_shards_stamp(m, y)) {
			*link = a;
			link = &x->next;
			a = x->next;
		} else {
			*link = b;
			link = &y->next;
			b = y->next;
		}
	}
	*link = a ? a : b;
	return ret;
}

/* Takes all lists of shards away, and returns the one that they make. */
static uint32_t shards_merge(struct stp_map *m)
{
	uint32_t runs[SHARDS_RUNS] = { 0 }, list;
	unsigned i;

	for (uint32_t at = 0; at <= m->shard_mask; at++) {
		struct stp_shard *s = &m->shards[at];

		list = s->oldest;
		s->oldest = s->newest = s->count = 0;
		if (!list)
			continue;
		for (i = 0; i + 1 < SHARDS_RUNS && runs[i]; i++) {
			list = lists_merge(m, runs[i], list);
			runs[i] = 0;
		}
		runs[i] = runs[i] ? lists_merge(m, runs[i], list) : list;
	}
	list = 0;
	for (i = 0; i < SHARDS_RUNS; i++)
		list = lists_merge(m, runs[i], list);
	return list;
}

static bool shards_gather(struct stp_ctx *c, struct stp_map *m)
{
	uint32_t all = shards_count(m), next;
	uint64_t work = SHARDS_WORK * (uint64_t)(all - m->count);

	if (all == m->count)
		return true;
	if (!stp_map_walks(c, m, c->sleepable ? work / STP_SLEEPABLE_SHARE : work))
		return false;
	m->count = all;
	for (uint32_t n = shards_merge(m); n; n = next) {
		struct stp_map_entry *e = stp_map_entry(m, n);

		next = e->next;
		*stp_shards_stamp(m, e) = 0;
		stp_map_append(m, e, n, &m->oldest, &m->newest);
	}
	return true;
}

const struct stp_shards_calls stp_shards_calls = {
	.create = shards_create,
	.clear = shards_clear,
	.gather = shards_gather,
	.count = shards_count,
	.take_all = shards_take_all,
	.release_all = shards_release_all,
	.add = shards_add,
	.remove = shards_remove,
};
