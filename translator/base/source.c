/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/source.h"

#include "lib/arena.h"

struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len)
{
	struct source *src = arena_new(a, struct source);

	src->name = name;
	src->text = text;
	src->len = len;
	return src;
}

static void index_lines(struct arena *a, struct source *src)
{
	size_t n = 1;

	for (size_t i = 0; i < src->len; i++)
		n += src->text[i] == '\n';
	src->lines = arena_array(a, uint32_t, n);
	src->nlines = 1;
	for (size_t i = 0; i < src->len; i++)
		if (src->text[i] == '\n')
			src->lines[src->nlines++] = (uint32_t)i + 1;
}

void source_position(struct arena *a, struct source *src, uint32_t offset, unsigned *line,
		     unsigned *column)
{
	size_t low = 0, high;

	if (!src->lines)
		index_lines(a, src);
	for (high = src->nlines; high - low > 1;) {
		size_t mid = (low + high) / 2;

		if (src->lines[mid] <= offset)
			low = mid;
		else
			high = mid;
	}
	*line = (unsigned)low + 1;
	*column = offset - src->lines[low] + 1;
}

const char *source_line(struct arena *a, struct source *src, unsigned line, size_t *len)
{
	const char *start;

	if (!src->lines)
		index_lines(a, src);
	if (line < 1 || line > src->nlines) {
		*len = 0;
		return "";
	}
	start = src->text + src->lines[line - 1];
	*len = (line < src->nlines ? src->lines[line] - 1 : src->len) - src->lines[line - 1];
	return start;
}

const char *source_loc_str(struct arena *a, struct loc loc)
{
	unsigned line, column;

	if (!loc.source)
		return "<built-in>";
	source_position(a, loc.source, loc.begin, &line, &column);
	return arena_printf(a, "%s:%u:%u", loc.source->name, line, column);
}

struct loc source_loc_join(struct loc a, struct loc b)
{
	if (a.source == b.source && b.end > a.end)
		a.end = b.end;
	return a;
}
