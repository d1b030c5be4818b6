/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach: iterates over an array, sorted or not, or over a slice of it. */
#ifndef STP_API_ITER_H
#define STP_API_ITER_H

#include "api/map.h"
#include "api/stat.h"

struct stp_iter_how {
	int sort_column;       /* 0: order of insertion, 1…n: by key, -1: by value */
	int direction;	       /* +1 ascending, -1 descending */
	enum stp_stat_op stat; /* sort_column -1 of STATS values */
	/* Slice: bit i is set if key i is '*'. All bits are set if there is no slice. */
	uint32_t wild;
	const union stp_key *slice; /* NULL: no slice */
	int64_t limit;		    /* < 0: no limit */
};
/* Converts the value of `limit` in a script to a count: negative values become 0. */
static inline int64_t stp_limit(int64_t limit)
{
	return limit < 0 ? 0 : limit;
}
struct stp_iter {
	struct stp_map *map;
	uint32_t entry, next, left;
	int level; /* index of the sort links; -1: order of insertion */
	struct stp_ctx *c;
	const struct stp_iter_how *how;
};
/*
 * The map must not change between begin and end: a change fails with "array modified
 * during foreach". Every begin needs an end, even if the body failed.
 */
void stp_iter_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m,
		    const struct stp_iter_how *how);
bool stp_iter_next(struct stp_ctx *c, struct stp_iter *it);
void stp_iter_end(struct stp_ctx *c, struct stp_iter *it);
int64_t stp_iter_key_i(const struct stp_iter *it, unsigned k);
struct stp_str stp_iter_key_s(struct stp_ctx *c, const struct stp_iter *it, unsigned k, char *dst);
int64_t stp_iter_value_i(const struct stp_iter *it);
struct stp_str stp_iter_value_s(struct stp_ctx *c, const struct stp_iter *it, char *dst);

#endif
