/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that perf.c and perftask.c share. */
#ifndef STP_PROBE_PERF_H
#define STP_PROBE_PERF_H

#include <linux/errno.h>
#include <linux/perf_event.h>

#include "api.h"
#include "probe/perfregisters.h"

/* Explains why the kernel cannot count such an event. */
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
