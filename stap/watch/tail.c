/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/watch/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(struct tail *t)
{
	char *line = strndup(t->part, t->len);
	size_t at = (t->first + t->count) % TAIL_LINES;

	t->len = 0;
	if (!line)
		return;
	if (t->count == TAIL_LINES) {
		free(t->lines[t->first]);
		t->first = (t->first + 1) % TAIL_LINES;
		t->count--;
	}
	t->lines[at] = line;
	t->count++;
}

void tail_add(struct tail *t, const char *text, size_t len)
{
	for (const char *end = text + len; text < end; text++) {
		if (*text == '\n')
			keep(t);
		else if (t->len < sizeof(t->part))
			t->part[t->len++] = *text ? *text : '?';
	}
}

const char *tail_line(const struct tail *t, size_t n)
{
	return t->lines[(t->first + n) % TAIL_LINES];
}

void tail_end(struct tail *t)
{
	if (t->len)
		keep(t);
}

void tail_print(const struct tail *t)
{
	for (size_t i = 0; i < t->count; i++)
		puts(tail_line(t, i));
	fflush(stdout);
}

void tail_free(struct tail *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->lines[(t->first + i) % TAIL_LINES]);
	*t = (struct tail){ .first = 0 };
}
