/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers that are the same C share one function, and so do handlers that differ only in
 * numbers and texts: a parameter's register, its width, a member's offset, a name. Such
 * constants are between marks in the C that lang/ emits. Handlers whose text between the
 * marks is equal are a group; constants that are alike in all of them are put back, the
 * others become columns of a table that has a row for each different handler:
 * `rows_N[c->probe->row][COLUMN]`.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "module/module.h"

#define MARK_SELF MERGE_SELF[0] /* the group's number */

#define SHORT_MAX UINT16_MAX

struct constant {
	const char *text; /* a C literal; NULL: a number */
	int64_t number;	  /* length of a text */
	int64_t value;	  /* in the table: the number, or the text's offset in texts[] */
};

struct merge_group {
	const char *code; /* without the constants, but with their marks */
	size_t columns;
	size_t index;
	frame_list frames; /* frames of the first member */
	VEC(struct handler *) members;
	VEC(struct constant *) rows; /* one for each different member */
	struct hashmap known;	     /* row_key() -> the row's number + 1 */
};

/* ---- marks ---- */

/* Reads the constant after the mark at `at`; returns the text after it. */
static const char *read_constant(struct arena *a, const char *at, struct constant *ret)
{
	const char *end = strchr(at, EMIT_MARK_END);
	char *rest;

	*ret = (struct constant){ .number = strtoll(at + 1, &rest, 10) };
	if (*at == EMIT_MARK_TEXT)
		ret->text = arena_printf(a, "%.*s", (int)(end - rest - 1), rest + 1);
	return end + 1;
}

/* Splits the code into the text, which is equal in a group, and the constants. */
static struct constant *take_apart(struct emit_module *m, const char *text, struct strbuf *code,
				   size_t *count)
{
	VEC(struct constant) found = { 0 };
	const char marks[] = { EMIT_MARK_NUMBER, EMIT_MARK_TEXT, 0 };

	while (*text) {
		size_t plain = strcspn(text, marks);
		struct constant one;

		strbuf_add(code, text, plain);
		text += plain;
		if (!*text)
			break;
		strbuf_addc(code, *text);
		text = read_constant(m->s->arena, text, &one);
		vec_push(m->s->arena, &found, one);
	}
	*count = found.count;
	return found.data;
}

/* ---- groups ---- */

static bool is_same(const struct constant *a, const struct constant *b)
{
	return a->number == b->number && (!a->text || !strcmp(a->text, b->text));
}

/*
 * Returns a key to find rows by, in little memory: rows with the same key may still
 * differ.
 */
static const char *row_key(struct emit_module *m, const struct constant *row, size_t columns)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < columns; i++) {
		uint64_t text = row[i].text ? hashmap_hash(row[i].text) : 0;

		hash = (hash ^ (uint64_t)row[i].number ^ text) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return arena_printf(m->s->arena, "%" PRIx64, hash);
}

/* Returns the row's number, counted from 1; 0: it is not there. */
static size_t find_row(const struct merge_group *g, const char *key, const struct constant *row)
{
	size_t known = (size_t)hashmap_get(&g->known, key);

	for (size_t i = 0; known && i < g->columns; i++)
		if (!is_same(&g->rows.data[known - 1][i], &row[i]))
			return 0;
	return known;
}

static struct merge_group *find_group(struct emit_module *m, struct strbuf *code,
				      const frame_list *frames)
{
	struct merge_group *g = hashmap_get(&m->groups_by_code, code->s);

	if (g) {
		strbuf_release(code);
		return g;
	}
	g = arena_new(m->s->arena, struct merge_group);
	g->code = code->s;
	g->frames = *frames;
	hashmap_init(&g->known, m->s->arena);
	hashmap_put(&m->groups_by_code, g->code, g);
	vec_push(m->s->arena, &m->groups, g);
	return g;
}

void samecode_add(struct emit_module *m, struct handler *h, const char *text,
		  const frame_list *frames)
{
	struct strbuf code;
	struct constant *row;
	struct merge_group *g;
	const char *key;
	size_t columns, known;

	strbuf_init(&code, m->s->arena);
	row = take_apart(m, text, &code, &columns);
	g = find_group(m, &code, frames);
	g->columns = columns;
	key = row_key(m, row, columns);
	known = find_row(g, key, row);
	if (!known) {
		vec_push(m->s->arena, &g->rows, row);
		known = g->rows.count;
		hashmap_put(&g->known, key, (void *)known);
	}
	vec_push(m->s->arena, &g->members, h);
	h->row = (unsigned)known - 1;
}

/* ---- tables ---- */

/* Returns the place in texts[] where the text begins. */
static int64_t text_offset(struct emit_module *m, const struct constant *c)
{
	size_t known = (size_t)hashmap_get(&m->texts_by_name, c->text);

	if (known)
		return (int64_t)known - 1;
	known = m->texts_size + 1;
	hashmap_put(&m->texts_by_name, c->text, (void *)known);
	if (!m->texts_size)
		writer_init(&m->texts, m->s->arena);
	writer_line(&m->texts, "\t%s \"\\0\"", c->text);
	m->texts_size += (size_t)c->number + 1;
	return (int64_t)known - 1;
}

/*
 * Assigns each constant a column of the table; -1: it is the same in all rows.
 */
static int *settle_columns(struct emit_module *m, struct merge_group *g, int *count)
{
	int *columns = arena_array(m->s->arena, int, g->columns + 1);

	*count = 0;
	for (size_t i = 0; i < g->columns; i++) {
		bool same = true;

		for (size_t k = 1; k < g->rows.count && same; k++)
			same = is_same(&g->rows.data[0][i], &g->rows.data[k][i]);
		columns[i] = same ? -1 : (*count)++;
	}
	return columns;
}

static const char *row_type(const struct merge_group *g, const int *columns)
{
	int64_t least = 0, most = 0;

	for (size_t k = 0; k < g->rows.count; k++) {
		for (size_t i = 0; i < g->columns; i++) {
			int64_t value = g->rows.data[k][i].value;

			if (columns[i] >= 0) {
				least = value < least ? value : least;
				most = value > most ? value : most;
			}
		}
	}
	if (least >= 0 && most <= SHORT_MAX)
		return "uint16_t";
	return least >= INT32_MIN && most <= INT32_MAX ? "int32_t" : "int64_t";
}

static void emit_rows(struct emit_module *m, struct merge_group *g, const int *columns, int count)
{
	for (size_t k = 0; k < g->rows.count; k++) {
		for (size_t i = 0; i < g->columns; i++) {
			struct constant *c = &g->rows.data[k][i];

			if (columns[i] >= 0)
				c->value = c->text ? text_offset(m, c) : c->number;
		}
	}
	writer_line(&m->tables.text, "static const %s rows_%zu[][%d] = {", row_type(g, columns),
		    g->index, count);
	for (size_t k = 0; k < g->rows.count; k++) {
		struct strbuf b;

		strbuf_init(&b, m->s->arena);
		for (size_t i = 0; i < g->columns; i++) {
			int64_t value = g->rows.data[k][i].value;

			if (columns[i] >= 0)
				strbuf_addf(&b, "%s,", emit_number_text(m->s, value));
		}
		writer_line(&m->tables.text, "{%s},", b.s);
		strbuf_release(&b);
	}
	writer_line(&m->tables.text, "};");
}

static void add_constant(struct emit_module *m, const struct merge_group *g,
			 const struct constant *c, int column)
{
	struct strbuf *out = &m->w->out;

	if (column < 0)
		strbuf_adds(out, c->text ? c->text : emit_number_text(m->s, c->number));
	else if (c->text)
		strbuf_addf(out, "(texts + rows_%zu[c->probe->row][%d])", g->index, column);
	else
		strbuf_addf(out, "rows_%zu[c->probe->row][%d]", g->index, column);
}

static void emit_group(struct emit_module *m, struct merge_group *g)
{
	int count, *columns = settle_columns(m, g, &count);
	size_t constant = 0;

	if (count)
		emit_rows(m, g, columns, count);
	for (const char *at = g->code; *at; at++) {
		if (*at == MARK_SELF) {
			strbuf_addf(&m->w->out, "%zu", g->index);
		} else if (*at == EMIT_MARK_NUMBER || *at == EMIT_MARK_TEXT) {
			add_constant(m, g, &g->rows.data[0][constant], columns[constant]);
			constant++;
		} else {
			strbuf_addc(&m->w->out, *at);
		}
	}
}

void samecode_number(struct emit_module *m)
{
	vec_each(&m->groups, i) {
		struct merge_group *g = m->groups.data[i];

		g->index = i;
		vec_each(&g->members, k)
			g->members.data[k]->index = (unsigned)i;
	}
}

void samecode_write(struct emit_module *m)
{
	vec_each(&m->groups, i) {
		struct merge_group *g = m->groups.data[i];

		emit_group(m, g);
		vec_each(&g->frames, k) {
			const struct frame *frame = &g->frames.data[k];

			frame_add(m, frame->function, frame->body, frame->bytes);
		}
	}
	if (m->texts_size) {
		writer_line(&m->tables.text, "static const char texts[] =");
		writer_raw(&m->tables.text, m->texts.out.s, m->texts.out.len);
		writer_line(&m->tables.text, "\t\"\";");
	}
}
