/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that sleep in the module's code below ftrace: the code that ftrace calls handlers
 * by is freed when every task has slept once, wherever.
 */
#ifndef STP_KERNEL_SLEEPERS_H
#define STP_KERNEL_SLEEPERS_H

#include <linux/types.h>

/* False: nobody may sleep any more. Otherwise followed by stp_sleepers_leave(). */
bool stp_sleepers_enter(void);
void stp_sleepers_leave(void);
/* True: those who sleep should come back. */
bool stp_sleepers_closed(void);
/* Lets nobody sleep from now on; returns when nobody does. */
void stp_sleepers_close(void);

#endif
