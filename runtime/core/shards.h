/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of core/shards.c, which is only linked to scripts that need it. */
#ifndef STP_SHARDS_H
#define STP_SHARDS_H

#include "core/key.h"
#include "core/map.h"

struct stp_cpu;

struct stp_shards_calls {
	/* Makes the shards of a new map. False: no memory. */
	bool (*create)(struct stp_map *m);
	/* Takes back all entries; the caller holds all shards, as in the next three. */
	void (*clear)(struct stp_map *m);
	/*
	 * Completes the map's list of elements, in order of their creation, and its
	 * count. Every walk of the list begins with this. False: the budget does not
	 * suffice; the error is raised.
	 */
	bool (*gather)(struct stp_ctx *c, struct stp_map *m);
	/* Returns the number of elements. */
	uint32_t (*count)(const struct stp_map *m);
	/* STP_LOCK_ALL: takes all shards, or none. */
	bool (*take_all)(struct stp_cpu *cpu, struct stp_lock *lock, uint32_t *tries);
	void (*release_all)(struct stp_lock *lock);
	/*
	 * Add and remove an element; the caller holds its shard. add() returns NULL after
	 * an error.
	 */
	struct stp_map_entry *(*add)(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
				     uint32_t hash, uint32_t *link);
	void (*remove)(struct stp_ctx *c, struct stp_map *m, struct stp_map_entry *e,
		       uint32_t *link);
};

/* Returns the shard of the elements with that hash. */
static __always_inline struct stp_shard *stp_shards_of(const struct stp_map *m, uint32_t hash)
{
	return &m->shards[hash & m->shard_mask];
}

/* Takes the shard if it is free; `who` is 1 + the context. */
static __always_inline bool stp_shards_try(struct stp_shard *s, int32_t who)
{
	int32_t free = 0;

	return try_cmpxchg32(&s->state, &free, who);
}

static __always_inline struct stp_shard *shards_take(struct stp_ctx *c, struct stp_lock *lock,
						     struct stp_shard *s)
{
	return likely(stp_shards_try(s, (int32_t)c->cpu + 1)) ? s
							      : stp_shards_take_late(c, lock, s);
}

/* The same as stp_shards_take(), for a key of one number. */
static inline struct stp_shard *stp_shards_take_i(struct stp_ctx *c, struct stp_lock *lock,
						  const struct stp_map *m, int64_t key)
{
	return shards_take(c, lock, stp_shards_of(m, (uint32_t)stp_key_mix(0, (uint64_t)key)));
}

/*
 * Returns the place of the time when the entry was created; 0: it is in the map's list.
 */
static __always_inline uint64_t *stp_shards_stamp(const struct stp_map *m, struct stp_map_entry *e)
{
	return (uint64_t *)((uint8_t *)e + m->stamp_at);
}

/*
 * Appends a new entry, number n, to the list of its shard. On a processor, the time grows
 * with each entry, also where the counter is coarse.
 */
static __always_inline void stp_shards_append(struct stp_ctx *c, struct stp_map *m,
					      struct stp_shard *s, struct stp_map_entry *e,
					      uint32_t n)
{
	uint64_t now = port_cycles();

	c->created = now > c->created ? now : c->created + 1;
	*stp_shards_stamp(m, e) = c->created;
	stp_map_append(m, e, n, &s->oldest, &s->newest);
	WRITE_ONCE(s->count, s->count + 1);
}

/* Removes an entry from the list of its shard. */
static __always_inline void stp_shards_unlink(struct stp_map *m, struct stp_shard *s,
					      struct stp_map_entry *e)
{
	stp_map_unlink(m, e, &s->oldest, &s->newest);
	WRITE_ONCE(s->count, s->count - 1);
}

/*
 * Completes the list of elements, before a walk. False: the budget does not suffice; the
 * error is raised.
 */
static inline bool stp_shards_order(struct stp_ctx *c, struct stp_map *m)
{
	return !stp_map_has_shards(m) || m->desc->shards->gather(c, m);
}

/* Returns the number of elements; other processors may be changing it. */
static inline uint32_t stp_shards_total(const struct stp_map *m)
{
	return stp_map_has_shards(m) ? m->desc->shards->count(m) : READ_ONCE(m->count);
}

#endif
