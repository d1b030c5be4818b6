/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts for arrays and aggregates, which create the script's globals of these types
 * before it runs.
 */
#include "core/map.h"
#include "core/state.h"

/* ---- arrays ---- */

static __attribute__((cold)) int arrays_create(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];

		if (g->is_array && !(*(struct stp_map **)g->place = stp_map_create(g->desc)))
			return -ENOMEM;
	}
	return stp_session_take(stp_store_growth()) ? 0 : -ENOMEM;
}

static __attribute__((cold)) void arrays_destroy(void)
{
	port_stop_workers();
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];

		if (!g->is_array)
			continue;
		stp_map_destroy(*(struct stp_map **)g->place);
		*(struct stp_map **)g->place = NULL;
	}
}

const struct stp_part stp_arrays_part = { .create = arrays_create, .destroy = arrays_destroy };

/* ---- aggregates ---- */

static bool is_aggregate(const struct stp_global *g)
{
	return !g->is_array && g->type == STP_STATS;
}

static __attribute__((cold)) int stats_create(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];

		if (is_aggregate(g) && !(*(struct stp_stat **)g->place = stp_stat_create(g->desc)))
			return -ENOMEM;
	}
	for (unsigned i = 0; i <= stp_runtime.ncpus; i++) {
		if (!stp_runtime.cpus[i])
			continue;
		stp_runtime.cpus[i]->merged = port_alloc(stp_stat_buffer_bytes());
		if (!stp_runtime.cpus[i]->merged)
			return -ENOMEM;
	}
	return 0;
}

static __attribute__((cold)) void stats_destroy(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];

		if (!is_aggregate(g))
			continue;
		stp_stat_destroy(*(struct stp_stat **)g->place);
		*(struct stp_stat **)g->place = NULL;
	}
	for (unsigned i = 0; stp_runtime.cpus && i <= stp_runtime.ncpus; i++)
		if (stp_runtime.cpus[i])
			port_free(stp_runtime.cpus[i]->merged);
}

const struct stp_part stp_stats_part = { .create = stats_create, .destroy = stats_destroy };
