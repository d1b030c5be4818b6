/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin, end, error, never. They need no mechanism: the family is added first, which runs
 * the begin probes, and removed last, which runs the end probes, or the error probes of a
 * script that failed. All of them run in the sleeping context, ascending by their number.
 */
#include "api.h"
#include "core/port.h"
#include "core/session.h"

static int64_t lifecycle_order(const struct stp_probe *p)
{
	return ((const struct stp_point_lifecycle *)p->point)->order;
}

/*
 * Returns the next to run: the lowest after `last` (NULL: of all); equal numbers in the
 * script's order.
 */
static const struct stp_probe *lifecycle_next(const struct stp_probe *const *probes, unsigned n,
					      enum stp_lifecycle kind, const struct stp_probe *last)
{
	const struct stp_probe *best = NULL;

	for (unsigned i = 0; i < n; i++) {
		const struct stp_probe *p = probes[i];

		if (((const struct stp_point_lifecycle *)p->point)->kind != kind)
			continue;
		if (last &&
		    (lifecycle_order(p) < lifecycle_order(last) ||
		     (lifecycle_order(p) == lifecycle_order(last) && p->index <= last->index)))
			continue;
		if (!best || lifecycle_order(p) < lifecycle_order(best))
			best = p;
	}
	return best;
}

static void lifecycle_run(const struct stp_probe *const *probes, unsigned n,
			  enum stp_lifecycle kind)
{
	const struct stp_probe *p = NULL;
	int64_t order = 0;

	while ((p = lifecycle_next(probes, n, kind, p))) {
		/*
		 * After a begin that called exit(), no other runs. After one that failed,
		 * those with the same number still run, because they do not depend on it.
		 */
		if (kind == STP_BEGIN && stp_session_state() != STP_STARTING &&
		    !(stp_session_failed() && lifecycle_order(p) == order))
			return;
		order = lifecycle_order(p);
		port_hit_slow(p);
	}
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	lifecycle_run(probes, n, STP_BEGIN);
	return 0;
}

/*
 * A script that was ended because of its load has no error: its end probes show the
 * collected data. If it has no end probes, its error probes run.
 */
static bool is_error(const struct stp_probe *const *probes, unsigned n)
{
	return stp_session_failed() &&
	       (!stp_session_overloaded() || !lifecycle_next(probes, n, STP_END, NULL));
}

static void remove_all(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	if (stp_session_end_wanted())
		lifecycle_run(probes, n, is_error(probes, n) ? STP_ERROR_PROBE : STP_END);
}

static const char *lifecycle_type(const struct stp_probe *p)
{
	return "begin_end";
}

const struct stp_family stp_family_lifecycle = {
	.name = "lifecycle",
	.add = add,
	.remove = remove_all,
	.type = lifecycle_type,
};
