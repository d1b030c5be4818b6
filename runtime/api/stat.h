/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates, alone and in arrays. */
#ifndef STP_API_STAT_H
#define STP_API_STAT_H

#include "api/map.h"

enum stp_hist {
	STP_HIST_NONE,
	STP_HIST_LOG,
	STP_HIST_LINEAR,
	STP_HIST_FINE, /* for quantiles */
	STP_HIST_SEVERAL
};
/*
 * Results besides the count that are updated when a value is added. An operator reads
 * those that are kept for it; the others are 0.
 */
enum stp_stat_op { STP_COUNT, STP_SUM, STP_MIN, STP_MAX, STP_AVG, STP_VARIANCE };

struct stp_stat_desc {
	const char *name;
	uint32_t keeps; /* enum stp_keep */
	uint32_t hist;
	int64_t low, high, width;
	/* For STP_HIST_SEVERAL: the first histogram. For a histogram: the next one. */
	const struct stp_stat_desc *several;
	uint32_t at; /* for a histogram: its first bucket among the aggregate's */
};
struct stp_stat;      /* scalar aggregate: one part per CPU, added to without a lock */
struct stp_stat_data; /* contents of an aggregate when read */

void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, int64_t v);
void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st);
void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
/*
 * The sums over all CPUs, in the context's own memory. They are valid until the next of
 * these two calls. NULL: no value was ever added.
 */
const struct stp_stat_data *stp_stat_read(struct stp_ctx *c, struct stp_stat *st);
const struct stp_stat_data *stp_map_stat_read(struct stp_ctx *c, struct stp_map *m,
					      const union stp_key *k);
/* For NULL data, count and sum are 0 and the others fail with "empty aggregate". */
int64_t stp_stat_op(struct stp_ctx *c, const struct stp_stat_data *d, enum stp_stat_op op);
/* Draw the histogram, into this hit's output or into dst. */
void stp_hist_print(struct stp_ctx *c, const struct stp_stat_data *d,
		    const struct stp_stat_desc *desc) __attribute__((cold));
struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_stat_data *d,
			       const struct stp_stat_desc *desc, char *dst);
/*
 * Writes a row of a heat map to dst: a character for each bucket of a logarithmic
 * histogram, from the bucket of `low` to that of `high`. These two also count all values
 * below or above. An empty aggregate is a blank row.
 */
struct stp_str stp_hist_heat(struct stp_ctx *c, const struct stp_stat_data *d,
			     const struct stp_stat_desc *desc, int64_t low, int64_t high, char *dst)
	__attribute__((cold));
int64_t stp_hist_bucket(struct stp_ctx *c, const struct stp_stat_data *d,
			const struct stp_stat_desc *desc, int64_t i);
/*
 * Returns a quantile with an error below 1 %: the least value that is not less than
 * `share` millionths of a percent of all values.
 */
int64_t stp_hist_quantile(struct stp_ctx *c, const struct stp_stat_data *d,
			  const struct stp_stat_desc *desc, int64_t share);

#endif
