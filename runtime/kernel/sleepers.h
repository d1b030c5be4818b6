/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that sleep in the module's code when ftrace has called it: ftrace frees the code
 * that calls handlers when every task has slept once, anywhere.
 */
#ifndef STP_KERNEL_SLEEPERS_H
#define STP_KERNEL_SLEEPERS_H

#include <linux/types.h>

/* False: tasks may no longer sleep. Otherwise stp_sleepers_leave() must follow. */
bool stp_sleepers_enter(void);
void stp_sleepers_leave(void);
/* True: sleeping tasks should return. */
bool stp_sleepers_closed(void);
/* Prevents tasks from sleeping from now on. Returns when no task sleeps. */
void stp_sleepers_close(void);

#endif
