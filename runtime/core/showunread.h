/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints globals that are never read: api/unread.h. The functions are compiled with the
 * scripts that have such globals; other modules do not grow by them.
 */
#ifndef STP_SHOWUNREAD_H
#define STP_SHOWUNREAD_H

#include "api/iter.h"
#include "api/script.h"
#include "api/unread.h"
#include "core/inline.h"

/* Results of an aggregate that are shown, in this order. */
#define STP_UNREAD_STATS 5
#define STP_UNREAD_KEYS	 9

static inline const struct stp_global *stp_unread_global(const struct stp_unread *row)
{
	return &stp_script.globals[row->global];
}

static inline void stp_unread_scalar(struct stp_ctx *c, const struct stp_unread *row)
{
	const struct stp_global *g = stp_unread_global(row);
	struct stp_str s;
	uint8_t *p;

	if (g->type == STP_LONG) {
		p = stp_item(c, sizeof(uint16_t) + sizeof(int64_t));
		if (p)
			stp_item_long(stp_item_format(p, row->format), *(int64_t *)g->place);
		return;
	}
	s = *(struct stp_str *)g->place;
	p = stp_item(c, sizeof(uint16_t) + stp_item_string_bytes(s));
	if (p)
		stp_item_string(stp_item_format(p, row->format), s);
}

/* Prints an aggregate, whose n keys are args. */
static inline void stp_unread_stats(struct stp_ctx *c, const struct stp_unread *row,
				    const struct stp_stat_data *d, union stp_key *args, unsigned n)
{
	args[n].i = stp_stat_op(c, d, STP_COUNT);
	args[n + 1].i = stp_stat_op(c, d, STP_MIN);
	args[n + 2].i = stp_stat_op(c, d, STP_MAX);
	args[n + 3].i = stp_stat_op(c, d, STP_SUM);
	args[n + 4].i = stp_stat_op(c, d, STP_AVG);
	if (!stp_failed(c))
		stp_printf(c, row->format, args);
}

static inline void stp_unread_aggregate(struct stp_ctx *c, const struct stp_unread *row)
{
	struct stp_stat **place = stp_unread_global(row)->place;
	const struct stp_stat_data *d = stp_stat_read(c, *place);
	union stp_key args[STP_UNREAD_STATS];

	if (stp_stat_op(c, d, STP_COUNT))
		stp_unread_stats(c, row, d, args, 0);
	else
		stp_printf(c, row->none, args);
}

static inline void stp_unread_element(struct stp_ctx *c, const struct stp_unread *row,
				      const struct stp_iter *it, char *storage)
{
	const struct stp_global *g = stp_unread_global(row);
	const struct stp_map_desc *desc = g->desc;
	union stp_key args[STP_UNREAD_KEYS + STP_UNREAD_STATS];
	unsigned n = desc->nkeys;

	for (unsigned i = 0; i < n; i++) {
		if (desc->key_types[i] == STP_STRING) {
			args[i].s = stp_iter_key_s(c, it, i, storage);
			storage += stp_script.limits.string;
		} else {
			args[i].i = stp_iter_key_i(it, i);
		}
	}
	if (desc->value_type == STP_STATS) {
		stp_unread_stats(c, row, stp_map_stat_read(c, it->map, args), args, n);
		return;
	}
	if (desc->value_type == STP_STRING)
		args[n].s = stp_iter_value_s(c, it, storage);
	else
		args[n].i = stp_iter_value_i(it);
	stp_printf(c, row->format, args);
}

static inline void stp_unread_array(struct stp_ctx *c, const struct stp_unread *row, char *storage)
{
	const struct stp_iter_how how = {
		.sort_column = -1, .direction = -1, .wild = ~0u, .limit = -1
	};
	struct stp_map **place = stp_unread_global(row)->place;
	struct stp_iter it;

	stp_iter_begin(c, &it, *place, &how);
	while (stp_iter_next(c, &it) && stp_spend(c, 1))
		stp_unread_element(c, row, &it, storage);
	stp_iter_end(c, &it);
}

static inline void stp_unread_scalars(struct stp_ctx *c, const struct stp_unread *rows, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (stp_spend(c, 1))
			stp_unread_scalar(c, &rows[i]);
		if (stp_failed(c)) {
			stp_where(c, rows[i].where);
			return;
		}
	}
}

static inline void stp_unread_all(struct stp_ctx *c, const struct stp_unread *rows, unsigned n,
				  char *storage)
{
	for (unsigned i = 0; i < n; i++) {
		const struct stp_global *g = stp_unread_global(&rows[i]);

		stp_spend(c, 1);
		if (g->is_array)
			stp_unread_array(c, &rows[i], storage);
		else if (g->type == STP_STATS)
			stp_unread_aggregate(c, &rows[i]);
		else
			stp_unread_scalar(c, &rows[i]);
		if (stp_failed(c)) {
			stp_where(c, rows[i].where);
			return;
		}
	}
}

#endif
