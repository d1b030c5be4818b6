/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorted lists of entries, for foreach. */
#ifndef STP_SORT_H
#define STP_SORT_H

#include "core/map.h"

static inline bool stp_iter_matches(struct stp_ctx *c, const struct stp_map *m,
				    const struct stp_iter_how *how, uint32_t n)
{
	return !how->slice || stp_map_matches(c, m, stp_map_entry(m, n), how->slice, how->wild);
}

/*
 * Links the best `most` entries of the slice by their links of that level, and returns
 * the first; 0: there is none, or the handler has failed. The caller holds the map's lock
 * for writing.
 */
uint32_t stp_sort_map(struct stp_ctx *c, const struct stp_map *m, const struct stp_iter_how *how,
		      unsigned level, uint32_t most);

#endif
