/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sleepers.h. */
#include "kernel/sleepers.h"

#include <linux/atomic.h>
#include <linux/delay.h>

static struct {
	atomic_t tasks;
	bool closed;
} sleepers;

bool stp_sleepers_enter(void)
{
	atomic_inc(&sleepers.tasks);
	smp_mb__after_atomic();
	if (!READ_ONCE(sleepers.closed))
		return true;
	atomic_dec(&sleepers.tasks);
	return false;
}

void stp_sleepers_leave(void)
{
	atomic_dec(&sleepers.tasks);
}

bool stp_sleepers_closed(void)
{
	return READ_ONCE(sleepers.closed);
}

void stp_sleepers_close(void)
{
	WRITE_ONCE(sleepers.closed, true);
	smp_mb();
	while (atomic_read(&sleepers.tasks))
		msleep(1);
}
