/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that perf.c and perftask.c share. */
#ifndef STP_PROBE_PERF_H
#define STP_PROBE_PERF_H

#include <linux/errno.h>
#include <linux/perf_event.h>

#include "api.h"

/* True: the scheduler's events and tracepoints bring only the caller's place. */
static inline bool perf_lacks_registers(const struct stp_point_perf *point)
{
	if (point->type == PERF_TYPE_TRACEPOINT)
		return true;
	return point->type == PERF_TYPE_SOFTWARE &&
	       (point->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		point->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		point->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

/* Explains why the kernel makes no such event. */
static inline const char *perf_refusal(int error)
{
	switch (error) {
	case -ENOENT:
	case -EOPNOTSUPP:
		return "this machine does not count such an event; in a virtual machine only those "
		       "of perf.sw may be there";
	case -EBUSY:
	case -ENOSPC:
		return "the counters it needs are in use";
	case -EACCES:
	case -EPERM:
		return "the kernel does not let it be counted";
	default:
		return "the kernel knows no such event";
	}
}

#endif
