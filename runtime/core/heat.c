/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of heat maps: a histogram in one line. */
#include "core/stat.h"
#include "core/state.h"

#define HEAT_WORK 2500 /* units of work: api/ctx.h */

/* From nothing to the largest count in the row. */
static const char heat_levels[] = " .:-=+*#%@";

#define HEAT_MOST ((int64_t)sizeof(heat_levels) - 2)

/* Returns the count of a column, including the columns outside the range. */
static int64_t heat_count(const int64_t *hist, uint32_t i, uint32_t first, uint32_t last)
{
	uint32_t from = i == first ? 0 : i, to = i == last ? STP_HIST_MAX_BUCKETS - 1 : i;
	int64_t n = 0;

	for (uint32_t k = from; k <= to; k++)
		n += hist[k];
	return n;
}

/* Rounds up, so that one value among a million others is visible. */
static char heat_level(int64_t count, int64_t most)
{
	return heat_levels[(count * HEAT_MOST + most - 1) / most];
}

struct stp_str stp_hist_heat(struct stp_ctx *c, const struct stp_stat_data *d,
			     const struct stp_stat_desc *desc, int64_t low, int64_t high, char *dst)
{
	uint32_t first = stp_hist_log_index(low), last = stp_hist_log_index(high);
	struct stp_text r = { { dst, 0 }, false };
	char row[STP_HIST_MAX_BUCKETS];
	int64_t most = 0;

	stp_charge(c, HEAT_WORK);
	memset(row, heat_levels[0], sizeof(row));
	for (uint32_t i = first; d && i <= last; i++) {
		int64_t n = heat_count(d->hist + desc->at, i, first, last);

		most = n > most ? n : most;
	}
	for (uint32_t i = first; most && i <= last; i++)
		row[i - first] = heat_level(heat_count(d->hist + desc->at, i, first, last), most);
	stp_text_put(&r, row, last - first + 1);
	return stp_text_end(c, &r);
}
