/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/clines.h"

#include <string.h>

#include "emit/emit.h"
#include "lib/arena.h"
#include "lib/vec.h"

struct open_statement {
	size_t depth; /* of its C */
	const char *place;
};
typedef VEC(struct open_statement) open_statements;

/* Reads one line: a note opens a statement, and code further left ends it. */
static void read_line(struct arena *a, open_statements *open, const char *line, size_t len)
{
	static const char note[] = EMIT_PLACE_NOTE;
	size_t depth = strspn(line, "\t");

	if (depth >= len)
		return;
	while (open->count && open->data[open->count - 1].depth > depth)
		open->count--;
	if (!strncmp(line + depth, note, sizeof(note) - 1)) {
		size_t skipped = depth + sizeof(note) - 1;
		struct open_statement statement = { .depth = depth };

		statement.place = arena_strndup(a, line + skipped, len - skipped);
		while (open->count && open->data[open->count - 1].depth == depth)
			open->count--;
		vec_push(a, open, statement);
	}
}

void clines_read(struct arena *a, const char *c_text, struct clines *ret)
{
	VEC(const char *) places = { 0 };
	open_statements open = { 0 };

	vec_push(a, &places, NULL);
	while (*c_text) {
		size_t len = strcspn(c_text, "\n");

		read_line(a, &open, c_text, len);
		vec_push(a, &places, open.count ? open.data[open.count - 1].place : NULL);
		c_text += len + (c_text[len] == '\n');
	}
	ret->places = places.data;
	ret->count = places.count;
}

const char *clines_place(const struct clines *c, size_t line)
{
	return line < c->count ? c->places[line] : NULL;
}
