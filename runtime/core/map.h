/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays: a fixed number of entries, all allocated before the script runs.
 *
 *   map      buckets[…] -> chain of entries with equal hash bits; order list oldest … newest; free list
 *   entry    struct stp_map_entry | key 0 | key 1 | … | value
 *   long     8 bytes
 *   string   u32 length | MAXSTRINGLEN bytes
 *   stats    struct stp_stat_data with its histogram
 *
 * Entries are named by number, 1 … max; 0 is none. Whoever changes a map holds its lock for writing; an
 * iteration holds it at least for reading, a sorted one for writing.
 */
#ifndef STP_MAP_H
#define STP_MAP_H

#include "api.h"
#include "core/stat.h"

/* Sorted iterations over one array inside each other. */
#define STP_MAP_SORTS 2

struct stp_map_entry {
	uint32_t hash;
	uint32_t chain;			/* next in the bucket, or in the free list */
	uint32_t prev, next;		/* order list */
	uint32_t sorted[STP_MAP_SORTS]; /* next in a sorted iteration */
} __attribute__((aligned(8)));

struct stp_map {
	const struct stp_map_desc *desc;
	uint32_t count, max;
	uint32_t mask; /* of bucket numbers */
	uint32_t free, oldest, newest;
	int32_t iterating;		/* foreach loops that run */
	int32_t sorting[STP_MAP_SORTS]; /* 1: taken */
	uint32_t *buckets;
	uint8_t *entries;
	size_t entry_bytes;
	uint32_t key_at[9], value_at;
	struct stp_stat_shape shape;
	uint32_t hist_buckets;
};

static inline struct stp_map_entry *stp_map_entry(const struct stp_map *m, uint32_t n)
{
	return (struct stp_map_entry *)(m->entries + (size_t)(n - 1) * m->entry_bytes);
}

static inline int64_t *stp_map_long_at(struct stp_map_entry *e, uint32_t offset)
{
	return (int64_t *)((uint8_t *)e + offset);
}

/* A stored string; valid as long as the entry. */
static inline struct stp_str stp_map_string_at(struct stp_map_entry *e, uint32_t offset)
{
	const uint8_t *p = (const uint8_t *)e + offset;

	return (struct stp_str){ (const char *)p + sizeof(uint32_t), *(const uint32_t *)p };
}

static inline struct stp_stat_data *stp_map_stat_at(struct stp_map_entry *e, uint32_t offset)
{
	return (struct stp_stat_data *)((uint8_t *)e + offset);
}

/* Entry e has the keys k, but for those that are wild. */
bool stp_map_matches(const struct stp_map *m, struct stp_map_entry *e, const union stp_key *k, uint32_t wild);

struct stp_map *stp_map_create(const struct stp_map_desc *desc); /* NULL: no memory */
void stp_map_destroy(struct stp_map *m);

#endif
