/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making and cancelling timers. */
#ifndef STP_COMPAT_TIMER_H
#define STP_COMPAT_TIMER_H

#include <linux/hrtimer.h>
#include <linux/timer.h>

#include "stp_facts.h"

static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*fired)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
#ifdef STP_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fired, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fired;
#endif
}

static inline void compat_timer_delete_sync(struct timer_list *timer)
{
#ifdef STP_HAVE_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

#endif
