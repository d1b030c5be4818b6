/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See heatcolor.h. */
#include "lib/heatcolor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool heatcolor_is_shown(int fd)
{
	const char *terminal = getenv("TERM");

	return isatty(fd) && !getenv("NO_COLOR") && terminal && *terminal &&
	       strcmp(terminal, "dumb");
}

bool heatcolor_is_field(const char *name, size_t len)
{
	return len > 5 && !memcmp(name + len - 5, "_heat", 5);
}

/*
 * Levels of heat, as core/heat.c defines them, from cold to hot; a blank has no colour.
 */
static const struct {
	char level;
	const char *color;
} heatcolor_levels[] = {
	{ '.', "34" }, { ':', "34;1" }, { '-', "36" }, { '=', "36;1" }, { '+', "32" },
	{ '*', "33" }, { '#', "33;1" }, { '%', "31" }, { '@', "31;1" },
};

static const char *heatcolor_of(char level)
{
	for (size_t i = 0; i < sizeof(heatcolor_levels) / sizeof(heatcolor_levels[0]); i++)
		if (heatcolor_levels[i].level == level)
			return heatcolor_levels[i].color;
	return NULL;
}

void heatcolor_write(const char *s, size_t len, void (*put)(void *ctx, const char *s, size_t len),
		     void *ctx)
{
	for (size_t n; len; s += n, len -= n) {
		const char *color = heatcolor_of(*s);
		char begin[16];

		for (n = 1; n < len && s[n] == *s;)
			n++;
		if (color)
			put(ctx, begin, (size_t)sprintf(begin, "\033[%sm", color));
		put(ctx, s, n);
		if (color)
			put(ctx, "\033[m", 3);
	}
}
