/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles from fine histograms, whose buckets core/stat.h describes. */
#include "core/stat.h"
#include "core/state.h"

#define QUANTILE_WORK (3 * STP_HIST_FINE_BUCKETS) /* units of work: api/ctx.h */
#define SHARES	      100000000			  /* the unit of a share */

/* Returns the middle of a bucket, at most 1 / 128 away from each of its values. */
static int64_t quantile_value(uint32_t bucket)
{
	bool is_negative = bucket < STP_HIST_FINE_ZERO;
	uint32_t i = is_negative ? STP_HIST_FINE_ZERO - 1 - bucket : bucket - STP_HIST_FINE_ZERO;
	uint32_t shift = i < 2 * STP_HIST_FINE_STEPS ? 0 : (i >> STP_HIST_FINE_BITS) - 1;
	int64_t middle = (int64_t)((uint64_t)(i - (shift << STP_HIST_FINE_BITS)) << shift);

	middle += (int64_t)(1ull << shift >> 1);
	return is_negative ? ~middle : middle;
}

/* Returns how many values are not larger than the wanted one, including itself. */
static int64_t quantile_rank(int64_t count, int64_t share)
{
	int64_t whole = count / SHARES * share, rest = count % SHARES * share;
	int64_t rank = whole + (rest + SHARES - 1) / SHARES;

	return rank ? rank : 1;
}

int64_t stp_hist_quantile(struct stp_ctx *c, const struct stp_stat_data *d,
			  const struct stp_stat_desc *desc, int64_t share)
{
	const int64_t *hist;
	int64_t rank;
	uint32_t i = 0;

	if (!d || !d->count) {
		stp_error(c, "empty aggregate");
		return 0;
	}
	hist = d->hist + desc->at;
	rank = quantile_rank(d->count, share);
	while (i + 1 < STP_HIST_FINE_BUCKETS && (rank -= hist[i]) > 0)
		i++;
	stp_charge(c, QUANTILE_WORK);
	return quantile_value(i);
}
