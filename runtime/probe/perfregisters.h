/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers at counters' events, in modules and in BPF programs. */
#ifndef STP_PROBE_PERFREGISTERS_H
#define STP_PROBE_PERFREGISTERS_H

#include <linux/perf_event.h>

#include "probe/points.h"

/*
 * True: events of the scheduler and tracepoints provide only the caller's address and
 * stack.
 */
static inline bool perf_lacks_registers(const struct stp_point_perf *point)
{
	if (point->type == PERF_TYPE_TRACEPOINT)
		return true;
	return point->type == PERF_TYPE_SOFTWARE &&
	       (point->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		point->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		point->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

#endif
