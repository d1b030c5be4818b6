/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/fleet.h"

#include <time.h>

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * FLEET_SECOND + t.tv_nsec;
}

int64_t fleet_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t fleet_time(void)
{
	return clock_ns(CLOCK_REALTIME);
}
