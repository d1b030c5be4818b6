/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays. */
#ifndef STP_API_MAP_H
#define STP_API_MAP_H

#include "api/string.h"

struct stp_map;
struct stp_stat_desc;
struct stp_shards_calls;

union stp_key {
	int64_t i;
	struct stp_str s;
};

enum stp_type { STP_LONG, STP_STRING, STP_STATS };

struct stp_map_desc {
	const char *name;     /* for messages */
	uint8_t nkeys;	      /* 1…9 */
	uint8_t key_types[9]; /* enum stp_type */
	uint8_t value_type;
	bool wrap; /* when full, the oldest entry is removed; max_entries is set */
	/*
	 * There are probes that only add to elements, or that only set one, under
	 * STP_LOCK_ADD; not both.
	 */
	bool adds, sets;
	/*
	 * &stp_shards_calls: there are probes that use one element, under its lock
	 * (api/shards.h); or NULL
	 */
	const struct stp_shards_calls *shards;
	uint8_t sorts;	      /* the most sorted loops that are nested */
	uint32_t max_entries; /* 0: MAXMAPENTRIES; if that is not set either, the array grows */
	uint32_t keeps;	      /* for STATS values: enum stp_keep */
	uint32_t hist;	      /* enum stp_hist */
	int64_t low, high, width;
	const struct stp_stat_desc *several;
};

/* Returns 0 for an absent element. */
int64_t stp_map_get_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k);
struct stp_str stp_map_get_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
			     char *dst); /* absent: "" */
void stp_map_set_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
void stp_map_set_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, struct stp_str v);
/*
 * Returns the place of a value, for op= and ++. An absent element is created with 0.
 * Returns NULL and an error if the array is full. The place is valid until the map
 * changes.
 */
int64_t *stp_map_ref_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k);
/*
 * For += whose value is not used. This and <<< are allowed under STP_LOCK_ADD; and so is
 * stp_map_set_i(), if desc->sets.
 */
void stp_map_add_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
/* Bit i of `wild` set: key i is '*'. */
bool stp_map_in(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild);
void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild);
void stp_map_clear(struct stp_ctx *c, struct stp_map *m);
/* The same operations for arrays of numbers with a number as their only key. */
int64_t stp_plain_get_i(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_set_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v);
int64_t *stp_plain_ref_i(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_add_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v);
bool stp_plain_in(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_delete(struct stp_ctx *c, struct stp_map *m, int64_t key);

#endif
