/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses to watched memory, on architectures whose kernels do not run an event's
 * handler for them: arch_watch.h.
 */
#ifndef STP_PROBE_WATCHED_H
#define STP_PROBE_WATCHED_H

#include <linux/perf_event.h>

/* Is called for each access to memory that anybody watches on this CPU. */
typedef void watched_fn(struct perf_event *event, struct pt_regs *regs);

/* False: to watch memory of the kernel's own would stop it. */
bool watched_kernel_can(void) __cold;
/* True: events have no handler here, and watched_begin() is needed. */
bool watched_by_function(void);
/* Returns 0, or a negative error of the kernel's: nothing is called then. */
int watched_begin(watched_fn *hit) __cold;
/* Returns when no call runs any more. May be called without a beginning. */
void watched_end(void) __cold;
/* Returns the accesses for which `hit` could not be called. */
uint64_t watched_missed(void) __cold;

#endif
