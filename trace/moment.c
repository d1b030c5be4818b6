/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See moment.h. */
#include "trace/moment.h"

#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull
#define WRONG                                                                                      \
	"a time is SECONDS since the start, @SECONDS of the epoch, HH:MM:SS, or "                  \
	"'YYYY-MM-DD HH:MM:SS'"

/* Reads ".25". False: there is something else. */
static bool parse_fraction(const char *s, uint64_t *ret)
{
	uint64_t unit = SECOND;

	if (!*s)
		return true;
	if (*s++ != '.' || !*s)
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		unit /= 10;
		*ret += unit * (uint64_t)(*s - '0');
	}
	return !*s;
}

static bool parse_seconds(const char *s, uint64_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	*ret = strtoull(s, &end, 10);
	if (*ret > INT64_MAX / SECOND)
		return false;
	*ret *= SECOND;
	return parse_fraction(end, ret);
}

const char *moment_parse(const char *text, struct moment *ret)
{
	const char *end;

	*ret = (struct moment){ .kind = MOMENT_SINCE_START };
	if (parse_seconds(text, &ret->ns))
		return NULL;
	ret->kind = MOMENT_OF_EPOCH;
	if (*text == '@')
		return parse_seconds(text + 1, &ret->ns) ? NULL : WRONG;
	ret->ns = 0;
	ret->kind = MOMENT_OF_DATE;
	end = strptime(text, "%Y-%m-%d %H:%M:%S", &ret->day);
	if (end && parse_fraction(end, &ret->ns))
		return NULL;
	ret->ns = 0;
	ret->kind = MOMENT_OF_DAY;
	end = strptime(text, "%H:%M:%S", &ret->day);
	return end && parse_fraction(end, &ret->ns) ? NULL : WRONG;
}

/*
 * Returns the ns of the epoch. In a run that passes midnight, the later times are those
 * of the next day.
 */
static uint64_t of_day(const struct moment *w, uint64_t realtime)
{
	time_t start = (time_t)(realtime / SECOND), at;
	struct tm day = w->day, first;

	if (w->kind == MOMENT_OF_DAY && localtime_r(&start, &first)) {
		day.tm_year = first.tm_year;
		day.tm_mon = first.tm_mon;
		day.tm_mday = first.tm_mday;
	}
	day.tm_isdst = -1;
	at = mktime(&day);
	if (w->kind == MOMENT_OF_DAY && at < start) {
		day.tm_mday++;
		day.tm_isdst = -1;
		at = mktime(&day);
	}
	return at < 0 ? 0 : (uint64_t)at * SECOND + w->ns;
}

uint64_t moment_time(const struct moment *w, uint64_t realtime, uint64_t monotonic)
{
	uint64_t at = w->ns;

	if (w->kind == MOMENT_SINCE_START)
		return monotonic + at < at ? UINT64_MAX : monotonic + at;
	if (w->kind != MOMENT_OF_EPOCH)
		at = of_day(w, realtime);
	if (at >= realtime)
		return monotonic + (at - realtime);
	return monotonic > realtime - at ? monotonic - (realtime - at) : 0;
}
