/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks that scripts read. */
#include "core/port.h"

int64_t stp_time_ns(void)
{
	return (int64_t)port_realtime_ns();
}

int64_t stp_monotonic_ns(void)
{
	return (int64_t)port_monotonic_ns();
}

int64_t stp_cycles(void)
{
	return (int64_t)port_cycles();
}
