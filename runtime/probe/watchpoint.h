/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses to watched memory, on architectures whose kernels do not run an event's
 * handler for them: arch_watch.h.
 */
#ifndef STP_PROBE_WATCHPOINT_H
#define STP_PROBE_WATCHPOINT_H

#include <linux/perf_event.h>

/* Called for each access to watched memory on this CPU, whoever watches it. */
typedef void watchpoint_fn(struct perf_event *event, struct pt_regs *regs);

/* False: watching memory of the kernel itself would halt it. */
bool watchpoint_kernel_can(void) __cold;
/* True: events have no handler here, and watchpoint_begin() is needed. */
bool watchpoint_by_function(void);
/*
 * Starts the calls. Returns 0, or a negative error of the kernel: then nothing is called.
 */
int watchpoint_begin(watchpoint_fn *hit) __cold;
/*
 * Ends the calls. Returns when none is running. Can be called without watchpoint_begin().
 */
void watchpoint_end(void) __cold;
/* Returns the number of accesses for which `hit` could not be called. */
uint64_t watchpoint_missed(void) __cold;

#endif
