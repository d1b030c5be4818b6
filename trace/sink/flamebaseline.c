/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See flamebaseline.h. A frame is a line, as flame.c writes it: its depth, its total, its
 * name. They are in the order of the tree, each after its parent.
 */
#include "trace/sink/flamebaseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"
#include "trace/sink/stacks.h"

/* Decodes a name from XML, in place. */
static void unescape(char *s)
{
	static const struct {
		const char *name;
		char c;
	} known[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' } };
	char *to = s;

	while (*s) {
		size_t n = 1;

		*to = *s;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (!strncmp(s, known[i].name, strlen(known[i].name))) {
				*to = known[i].c;
				n = strlen(known[i].name);
			}
		}
		to++;
		s += n;
	}
	*to = '\0';
}

/* Parses the frame of a line. Returns its name, or NULL: the line has none. */
static char *read_frame(char *line, unsigned *depth, uint64_t *total)
{
	int at = 0;
	char *end;

	if (sscanf(line,
		   "<g class=\"frame\" data-x=\"%*[0-9.]\" data-width=\"%*[0-9.]\" "
		   "data-depth=\"%4u\" data-total=\"%19" SCNu64 "\" data-name=\"%n",
		   depth, total, &at) != 2 ||
	    !at)
		return NULL;
	end = strchr(line + at, '"');
	if (!end)
		return NULL;
	*end = '\0';
	unescape(line + at);
	return line + at;
}

static bool wrong(const char *file, unsigned line, const char *text)
{
	message_error("%s:%u: %s", file, line, text);
	return false;
}

static bool read_lines(struct stacks *t, const char *file, FILE *f, char **line)
{
	uint32_t path[STACKS_DEEPEST + 1];
	unsigned number = 1, known = 0, depth;
	uint64_t total;
	size_t room = 0;

	for (; getline(line, &room, f) >= 0; number++) {
		const char *name = read_frame(*line, &depth, &total);

		if (!name)
			continue;
		if (depth > known || depth > STACKS_DEEPEST)
			return wrong(file, number, "the frame has no parent");
		if (!stacks_before(t, depth, depth ? path[depth - 1] : 0, name, total,
				   &path[depth]))
			return wrong(file, number, "no memory");
		known = depth + 1;
	}
	return known || wrong(file, number, "no flame graph that --to flame has made, with frames");
}

bool flamebaseline_read(struct stacks *t, const char *file)
{
	FILE *f = fopen(file, "r");
	char *line = NULL;
	bool ok;

	if (!f) {
		message_error("%s: %m", file);
		return false;
	}
	ok = read_lines(t, file, f, &line);
	free(line);
	fclose(f);
	return ok;
}
