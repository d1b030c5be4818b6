/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses to watched memory, on architectures whose kernels do not run an event's
 * handler for them: arch_watch.h.
 */
#ifndef STP_PROBE_WATCHPOINT_H
#define STP_PROBE_WATCHPOINT_H

#include <linux/perf_event.h>

/* Is called for each access to memory that anybody watches on this CPU. */
typedef void watchpoint_fn(struct perf_event *event, struct pt_regs *regs);

/* False: to watch memory of the kernel's own would stop it. */
bool watchpoint_kernel_can(void) __cold;
/* True: events have no handler here, and watchpoint_begin() is needed. */
bool watchpoint_by_function(void);
/* Returns 0, or a negative error of the kernel's: nothing is called then. */
int watchpoint_begin(watchpoint_fn *hit) __cold;
/* Returns when no call runs any more. May be called without a beginning. */
void watchpoint_end(void) __cold;
/* Returns the accesses for which `hit` could not be called. */
uint64_t watchpoint_missed(void) __cold;

#endif
