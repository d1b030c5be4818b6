/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the current local time zone, for programs that start a session. */
#ifndef STP_UAPI_ZONE_H
#define STP_UAPI_ZONE_H

#include <stdio.h>
#include <time.h>

#include "uapi/msg.h"

static inline struct stp_zone zone_local(void)
{
	struct stp_zone zone = { 0 };
	time_t now = time(NULL);
	struct tm tm;

	tzset();
	if (!localtime_r(&now, &tm))
		return zone;
	zone.west = -tm.tm_gmtoff;
	snprintf(zone.name, sizeof(zone.name), "%s", tm.tm_zone);
	return zone;
}

#endif
