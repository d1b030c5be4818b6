/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "lib/arena.h"
#include "lib/terminal.h"

static const struct {
	const char *key, *sgr;
} defaults[COLOR_PART_COUNT] = {
	[COLOR_ERROR] = { "error", "01;31" }, [COLOR_WARNING] = { "warning", "00;33" },
	[COLOR_NOTE] = { "note", "01;36" },   [COLOR_SOURCE] = { "source", "00;34" },
	[COLOR_CARET] = { "caret", "01" },    [COLOR_TOKEN] = { "token", "01" },
};

static int find_part(const char *key, size_t len)
{
	for (int i = 0; i < COLOR_PART_COUNT; i++)
		if (strlen(defaults[i].key) == len && !memcmp(defaults[i].key, key, len))
			return i;
	return -1;
}

bool colors_wanted(const struct options *o, int fd)
{
	const char *no_color = getenv("NO_COLOR");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return terminal_draws(fd) && !(no_color && *no_color);
}

const struct colors *colors_parse(struct arena *a, const char *text)
{
	struct colors *c = arena_new(a, struct colors);

	for (int i = 0; i < COLOR_PART_COUNT; i++)
		c->sgr[i] = defaults[i].sgr;
	if (text && !*text)
		return NULL;
	while (text && *text) {
		size_t key = strcspn(text, "=:"),
		       sgr = text[key] == '=' ? strspn(text + key + 1, "0123456789;") : 0;
		int part = find_part(text, key);
		const char *end = text + key + 1 + sgr;

		if (part < 0 || !sgr || (*end && *end != ':'))
			return NULL;
		c->sgr[part] = arena_strndup(a, text + key + 1, sgr);
		text = *end ? end + 1 : end;
	}
	return c;
}
