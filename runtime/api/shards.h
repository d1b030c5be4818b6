/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks of single elements, for arrays that handlers use by one key at a time. The
 * elements are dealt out to shards by the hash of their keys. A handler that uses an
 * array by one key, which it computes first, holds the shard of this key as long as it
 * runs. All others hold all shards: STP_LOCK_ALL.
 */
#ifndef STP_API_SHARDS_H
#define STP_API_SHARDS_H

#include "api/lock.h"
#include "api/map.h"

/* A line of the cache for each. */
struct stp_shard {
	int32_t state;		 /* 1 + the context that holds it; 0: free */
	uint32_t free;		 /* list of entries without an element */
	uint32_t count;		 /* elements in the next list */
	uint32_t oldest, newest; /* elements that are not in the map's list yet */
} __attribute__((aligned(64)));

/*
 * Takes the shard of a key of several numbers; core/shards.h has stp_shards_take_i() for
 * a single one. NULL: it stayed taken too long; the error is raised. The handler has done
 * nothing yet, and a handler takes shards in the order of the arrays.
 */
struct stp_shard *stp_shards_take(struct stp_ctx *c, struct stp_lock *lock, struct stp_map *m,
				  const union stp_key *k);

/* Gives the shard back; NULL: it was not taken. */
static inline void stp_shards_release(struct stp_shard *shard)
{
	if (shard)
		smp_store_release(&shard->state, 0);
}

/* Takes a shard that another hit holds. */
struct stp_shard *stp_shards_take_late(struct stp_ctx *c, struct stp_lock *lock,
				       struct stp_shard *shard) __attribute__((cold));

/* How map.c and lock.c call core/shards.c, which few scripts have. */
extern const struct stp_shards_calls stp_shards_calls;

#endif
