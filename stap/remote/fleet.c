/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/fleet.h"

#include "base/options.h"
#include "base/session.h"
#include "lib/clock.h"

bool fleet_runs_program(const struct session *s)
{
	return s->options->runtime == RUNTIME_BPF;
}

int64_t fleet_now(void)
{
	return (int64_t)clock_now();
}

int64_t fleet_time(void)
{
	return (int64_t)clock_ns(CLOCK_REALTIME);
}
