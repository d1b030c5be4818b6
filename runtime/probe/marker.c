/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin, end, error, never. They need no mechanism: the family is added first, which runs
 * the begin probes, and removed last, which runs the end probes, or the error probes of a
 * script that failed. All of them run in the sleeping context, ascending by their number.
 */
#include "api.h"
#include "core/session.h"

static int64_t marker_order(const struct stp_probe *p)
{
	return ((const struct stp_point_marker *)p->point)->order;
}

/*
 * Returns the next to run: the lowest after `last` (NULL: of all); equal numbers in the
 * script's order.
 */
static const struct stp_probe *marker_next(const struct stp_probe *const *probes, unsigned n,
					   enum stp_marker kind, const struct stp_probe *last)
{
	const struct stp_probe *best = NULL;

	for (unsigned i = 0; i < n; i++) {
		const struct stp_probe *p = probes[i];

		if (((const struct stp_point_marker *)p->point)->kind != kind)
			continue;
		if (last && (marker_order(p) < marker_order(last) ||
			     (marker_order(p) == marker_order(last) && p->index <= last->index)))
			continue;
		if (!best || marker_order(p) < marker_order(best))
			best = p;
	}
	return best;
}

static void marker_run(const struct stp_probe *const *probes, unsigned n, enum stp_marker kind)
{
	const struct stp_probe *p = NULL;
	int64_t order = 0;

	while ((p = marker_next(probes, n, kind, p))) {
		/*
		 * After a begin that called exit(), no other runs. After one that failed,
		 * those of the same number still run, as they do not build on it.
		 */
		if (kind == STP_BEGIN && stp_session_state() != STP_STARTING &&
		    !(stp_session_failed() && marker_order(p) == order))
			return;
		order = marker_order(p);
		stp_hit_slow(p);
	}
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	marker_run(probes, n, STP_BEGIN);
	return 0;
}

static void remove_all(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	if (stp_session_end_wanted())
		marker_run(probes, n, stp_session_failed() ? STP_ERROR_PROBE : STP_END);
}

static const char *marker_type(const struct stp_probe *p)
{
	return "begin_end";
}

const struct stp_family stp_family_marker = {
	.name = "marker",
	.add = add,
	.remove = remove_all,
	.type = marker_type,
};
