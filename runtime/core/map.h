/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays: a hash table. Handlers take only memory that was already allocated; store.c
 * allocates it before it is needed.
 *
 *   map      buckets -> chain of entries · order list oldest … newest · segments that
 *            hold the entries
 *   entry    struct stp_map_entry | keys that are longs | value | sort links | keys that
 *            are strings: u16 length, bytes
 *   long     8 bytes
 *   value    a long; a string: u32 length, MAXSTRINGLEN bytes; struct stp_stat_data with
 *            its histogram;
 *            or, when the map has parts, the number of its slot in each of them
 *
 * Entries are identified by number: the segment, and the place in it in units of 8 bytes;
 * 0 is no entry. They never move.
 *
 * To change a map, its lock must be held for writing; to read it, at least for reading. A
 * sorted iteration links the entries and holds the lock for writing.
 *
 * Maps that probes only add to (desc->adds) have a part for each context, and a context
 * adds to its own part. Such probes hold the lock for adding: they share it with each
 * other and exclude all other probes. They find entries without any other lock, and
 * create new ones under map->making. A reader first sums up the parts, into the last of
 * them. Where one handler runs at a time (PORT_PARTS), there are no parts.
 *
 * Maps of which probes only set an element, to a number (desc->sets), are locked and
 * changed in the same way, but have one value for all contexts: the last one stored.
 *
 * In maps whose elements have locks of their own (desc->shards), a hit may hold only the
 * shard of the element that it changes: core/shards.c.
 */
#ifndef STP_MAP_H
#define STP_MAP_H

#include "api.h"
#include "core/port.h"
#include "core/stat.h"

/* The most sorted iterations over one array that can be nested; it has desc->sorts. */
#define STP_MAP_SORTS 8
/* Tables of buckets: each new one doubles the number of buckets. */
#define STP_MAP_TABLES 28
/* Blocks of memory: the more are allowed, the less store.c adds at a time. */
#define STP_MAP_BLOCKS 256

struct stp_map_entry {
	uint32_t hash;
	uint32_t chain;	     /* next in the bucket, or in the free list */
	uint32_t prev, next; /* order list */
} __attribute__((aligned(8)));

/* Entries of one size. */
struct stp_map_class {
	uint32_t free;	/* list of deleted entries */
	uint32_t next;	/* first unused entry in the class's segment */
	uint32_t left;	/* number of entries from `next` on */
	uint32_t units; /* size of an entry, in units of 8 bytes */
};

/* For sort.c: the lists that entries are dealt out to, and the runs to merge. */
#define STP_MAP_PILES 256
#define STP_MAP_RUNS  32
struct stp_map_piles {
	uint32_t *ends[STP_MAP_PILES]; /* the link of the last entry, or `first` */
	uint32_t first[STP_MAP_PILES];
	uint32_t runs[STP_MAP_RUNS];
};

/* One string, one long, several longs, or anything else. */
enum stp_map_keys { STP_MAP_MANY, STP_MAP_STRING, STP_MAP_LONG, STP_MAP_LONGS };

struct stp_map {
	/* Read by every hit. */
	const struct stp_map_desc *desc;
	uint32_t active; /* buckets in use; grows by one at a time */
	uint32_t mask;	 /* least 2^n - 1 that covers them */
	uint32_t base;	 /* buckets of the first table, 2^n */
	uint32_t base_shift;
	uint32_t *tables[STP_MAP_TABLES];
	uint8_t **segments;
	uint32_t unit_bits, unit_mask;
	uint32_t value_at, strings_at, links_at;
	uint32_t nkeys;
	uint32_t string_keys; /* bits of the keys that are strings */
	enum stp_map_keys keys;
	int32_t iterating; /* number of running foreach loops */
	uint8_t key_at[9]; /* place of a long; for a string, the number of strings before it */
	bool is_shared;	   /* several processors may create entries at the same time */
	struct stp_shard *shards; /* NULL: elements have no locks of their own */
	uint32_t shard_mask;
	uint32_t stamp_at; /* maps with shards: place of the time of creation */
	uint32_t nparts, slot_bits, slot_mask, slot_bytes;
	uint8_t ***parts; /* part -> segments of slots */
	struct stp_stat_shape shape;
	uint32_t hist_buckets;

	/* Changed together with the entries. */
	uint32_t count, max; /* max: UINT32_MAX when it may grow */
	uint32_t oldest, newest;
	/*
	 * maps that are locked for adding: a processor is creating an entry; maps with
	 * shards: one takes unused entries, removes an old element, or splits buckets
	 */
	int32_t making;
	uint32_t handed; /* entries that shards have taken */
	struct stp_map_class *classes;
	/*
	 * The only class of arrays with a limit and of arrays without string keys;
	 * otherwise 0.
	 */
	uint32_t fixed_class;
	uint32_t nclasses, entry_most;
	bool sorting[STP_MAP_SORTS];
	struct stp_map_piles *piles; /* NULL: the script never sorts it */
	bool said_full;

	/* For store.c: "used" means used by handlers, "ready" means allocated. */
	uint32_t segments_used, segments_ready;
	uint32_t slots_used, slots_ready;
	uint32_t buckets_ready;
	uint32_t segments_low, slots_low;     /* more are requested below this many unused */
	uint32_t segments_start, slots_start; /* initial number; never fewer unused ones */
	uint32_t segments_most, slot_segments_most;
	uint32_t ntables;
	int32_t wanted;	 /* workers that were asked to allocate more */
	int32_t growing; /* a worker is growing the map */
	bool capped;
	uint32_t nblocks;
	void *blocks[STP_MAP_BLOCKS];
	uint64_t bytes;
};

static inline STP_BPF_INLINE struct stp_map_entry *stp_map_entry_near(const struct stp_map *m,
								      uint32_t n)
{
	struct stp_map_entry *e = (struct stp_map_entry *)(m->segments[n >> m->unit_bits] +
							   (size_t)(n & m->unit_mask) * 8);

	if (!e) /* the caller need not test what a look-up has found */
		__builtin_unreachable();
	return e;
}

/* The same, a function of its own in BPF programs. */
static inline struct stp_map_entry *stp_map_entry(const struct stp_map *m, uint32_t n)
{
	return stp_map_entry_near(m, n);
}

static inline int64_t *stp_map_long_at(struct stp_map_entry *e, uint32_t offset)
{
	return (int64_t *)((uint8_t *)e + offset);
}

static inline uint32_t *stp_map_link(const struct stp_map *m, uint32_t n, unsigned level)
{
	return (uint32_t *)((uint8_t *)stp_map_entry(m, n) + m->links_at) + level;
}

/*
 * Returns the value of an entry. The caller has exclusive access to the map, or reads a
 * map without parts. Valid as long as the entry.
 */
void *stp_map_value(struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e);
struct stp_str stp_map_value_string(const struct stp_map *m, struct stp_map_entry *e);
/* Returns key i, a string. It is not terminated. */
struct stp_str stp_map_key_string(const struct stp_map *m, const struct stp_map_entry *e,
				  unsigned i);
/* True: entry e has the keys k, except those that are wild. */
bool stp_map_matches(struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e,
		     const union stp_key *k, uint32_t wild);
/*
 * Returns the work that is charged for each entry of a walk: the cost of checking its
 * keys.
 */
uint32_t stp_map_step_work(const struct stp_ctx *c, const struct stp_map *m);
/* The same as stp_spent(); the error names the array. */
bool stp_map_spent(struct stp_ctx *c, const struct stp_map *m) __attribute__((cold));
/* Charges one more step of a walk. False: the budget is used up. */
static inline bool stp_map_walks(struct stp_ctx *c, const struct stp_map *m, uint64_t work)
{
	c->work -= (int64_t)work;
	return likely(c->work >= 0) || stp_map_spent(c, m);
}

/* ---- for shards.c ---- */

/*
 * Take and give back m->making. begin() waits; false: too long, and the error is raised.
 */
bool stp_map_making_try(struct stp_map *m);
bool stp_map_making_begin(struct stp_ctx *c, struct stp_map *m);
void stp_map_making_end(struct stp_map *m);
/* Splits the next bucket; its place must be allocated. */
void stp_map_split(struct stp_ctx *c, struct stp_map *m);
/* Stores the keys in a new entry, and empties its value. */
void stp_map_fill(struct stp_map *m, struct stp_map_entry *e, const union stp_key *k);
/* Raises the error of a full array. */
void stp_map_overflow(struct stp_ctx *c, const struct stp_map *m) __attribute__((cold));

/* Removes the entry from its list. */
static __always_inline void stp_map_unlink(struct stp_map *m, struct stp_map_entry *e,
					   uint32_t *oldest, uint32_t *newest)
{
	*(e->prev ? &stp_map_entry(m, e->prev)->next : oldest) = e->next;
	*(e->next ? &stp_map_entry(m, e->next)->prev : newest) = e->prev;
}

/* Appends entry number n to a list. */
static __always_inline void stp_map_append(struct stp_map *m, struct stp_map_entry *e, uint32_t n,
					   uint32_t *oldest, uint32_t *newest)
{
	e->prev = *newest;
	e->next = 0;
	*(*newest ? &stp_map_entry(m, *newest)->next : oldest) = n;
	*newest = n;
}

struct stp_map *stp_map_create(const struct stp_map_desc *desc); /* NULL: no memory */
void stp_map_destroy(struct stp_map *m);

/* ---- store.c ---- */

/*
 * Sets the members that depend on desc, then allocates the initial memory. False: no
 * memory.
 */
bool stp_store_create(struct stp_map *m);
void stp_store_destroy(struct stp_map *m);
/* Returns the number of bytes by which the script's existing arrays may still grow. */
uint64_t stp_store_growth(void);
/* Returns the class of entries of that many bytes. */
struct stp_map_class *stp_store_class(struct stp_map *m, uint32_t bytes);
/*
 * Returns an entry that was never used; 0: there is no room. Wakes the worker if little
 * is left.
 */
uint32_t stp_store_take_new(struct stp_ctx *c, struct stp_map *m, struct stp_map_class *class);
/*
 * Takes back all entries at once. The caller has exclusive access to the map.
 * stp_store_clear_work() returns the work of this.
 */
void stp_store_clear(struct stp_map *m);
uint64_t stp_store_clear_work(const struct stp_map *m);

/* True: each context adds to a part of its own. */
static inline STP_BPF_INLINE bool stp_map_has_parts(const struct stp_map *m)
{
	return PORT_PARTS && m->nparts;
}

/* True: elements have locks of their own. */
static inline STP_BPF_INLINE bool stp_map_has_shards(const struct stp_map *m)
{
	return PORT_PARTS && m->shards;
}

static inline uint32_t stp_map_slot(const struct stp_map *m, const struct stp_map_entry *e)
{
	return *(const uint32_t *)((const uint8_t *)e + m->value_at);
}

static inline void *stp_map_part(const struct stp_map *m, uint32_t part, uint32_t slot)
{
	return m->parts[part][slot >> m->slot_bits] + (size_t)(slot & m->slot_mask) * m->slot_bytes;
}

#endif
