/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that the editor has open, and places in them. */
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "stap/lsp/lsp.h"

/* Returns the open document of that name. NULL: it is not open. */
static struct document *find(struct lsp *l, const char *uri)
{
	for (size_t i = 0; uri && i < l->count; i++)
		if (!strcmp(l->documents[i].uri, uri))
			return &l->documents[i];
	return NULL;
}

struct document *documents_asked(struct lsp *l, const json_t *params)
{
	return find(l, json_string_value(
			       json_object_get(json_object_get(params, "textDocument"), "uri")));
}

static struct document *add(struct lsp *l, const char *uri)
{
	struct document *documents = realloc(l->documents, (l->count + 1) * sizeof(*documents));

	if (!documents)
		return NULL;
	l->documents = documents;
	documents[l->count] = (struct document){ .uri = strdup(uri) };
	return documents[l->count].uri ? &documents[l->count++] : NULL;
}

void documents_open(struct lsp *l, const char *uri, json_int_t version, const char *text)
{
	struct document *d = find(l, uri);
	char *copy = strdup(text);

	if (!d)
		d = add(l, uri);
	if (!d || !copy) {
		free(copy);
		return;
	}
	free(d->text);
	d->text = copy;
	d->version = version;
	d->is_checked = false;
}

void documents_replace(struct lsp *l, const struct document *d, json_int_t version,
		       const json_t *range, const char *text)
{
	struct source *source = document_source(l, d);
	uint32_t begin = document_offset(l, source, json_object_get(range, "start")),
		 end = document_offset(l, source, json_object_get(range, "end"));

	if (end < begin)
		end = begin;
	documents_open(l, d->uri, version,
		       arena_printf(l->s->arena, "%.*s%s%s", (int)begin, source->text, text,
				    source->text + end));
}

void documents_close(struct lsp *l, const char *uri)
{
	struct document *d = find(l, uri);

	if (!d)
		return;
	free(d->uri);
	free(d->text);
	*d = l->documents[--l->count];
}

struct source *document_source(struct lsp *l, const struct document *d)
{
	return source_from_text(l->s->arena, d->uri, d->text, strlen(d->text));
}

/* ---- positions ---- */

/*
 * Returns the length of the character in bytes, and in UTF-16 units: characters beyond 16
 * bits have two.
 */
static size_t step(const char *s, size_t len, unsigned *units)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

	*units = n == 4 ? 2 : 1;
	return n < len ? n : len;
}

uint32_t document_offset(struct lsp *l, struct source *source, const json_t *position)
{
	json_int_t line = json_integer_value(json_object_get(position, "line"));
	json_int_t units = json_integer_value(json_object_get(position, "character"));
	size_t len, at = 0;
	const char *text;

	if (line < 0 || line >= UINT32_MAX)
		return (uint32_t)source->len;
	text = source_line(l->s->arena, source, (unsigned)line + 1, &len);
	if ((size_t)line >= source->nlines) /* the lines have been counted by now */
		return (uint32_t)source->len;
	while (at < len && units > 0) {
		unsigned n;

		at += step(text + at, len - at, &n);
		units -= n;
	}
	return (uint32_t)(text - source->text + (long)at);
}

static json_t *position_of(struct lsp *l, struct source *source, uint32_t offset)
{
	struct counted *c = &l->counted;
	unsigned line, column;
	const char *text;
	size_t len;

	if (offset > source->len)
		offset = (uint32_t)source->len;
	source_position(l->s->arena, source, offset, &line, &column);
	text = source_line(l->s->arena, source, line, &len);
	if (c->source != source || c->line != line || c->at + 1 > column)
		*c = (struct counted){ .source = source, .line = line };
	while (c->at + 1 < column && c->at < len) {
		unsigned n;

		c->at += step(text + c->at, len - c->at, &n);
		c->units += n;
	}
	return json_pack("{s:i,s:i}", "line", (int)line - 1, "character", (int)c->units);
}

json_t *document_range(struct lsp *l, struct source *source, uint32_t begin, uint32_t end)
{
	json_t *start = position_of(l, source, begin); /* in ascending order: see struct counted */

	return json_pack("{s:o,s:o}", "start", start, "end",
			 position_of(l, source, end > begin ? end : begin));
}
