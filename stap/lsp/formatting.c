/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usual layout of a document. In a text with syntax errors, only the declarations
 * without errors are laid out.
 */
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parse.h"
#include "parse/reformat.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/textpieces.h"

struct layout {
	struct diag_listener listener; /* first member: hear() gets its address */
	struct lsp *l;
	struct source *source;
	VEC(uint32_t) errors; /* their places */
	json_t *edits;
};

static void hear(struct diag_listener *listener, struct loc loc, enum diag_level level,
		 const char *text)
{
	struct layout *y = (struct layout *)listener;

	while (loc.source != y->source && loc.via)
		loc = loc.via->at;
	if (level == DIAG_ERROR)
		vec_push(y->l->s->arena, &y->errors, loc.source == y->source ? loc.begin : 0);
}

/* Parses for syntax errors only: embedded C without -g is not an error here. */
static const struct unit *parse(struct layout *y)
{
	struct options options = *y->l->s->options;
	struct session s = *y->l->s;

	options.last_pass = 1;
	options.guru = true;
	s.options = &options;
	s.listener = &y->listener;
	s.quiet = false;
	return parse_source(&s, y->source);
}

/*
 * Adds an edit that lays the part out. Adds none if that changes nothing or is
 * impossible.
 */
static void add_edit(struct layout *y, uint32_t begin, uint32_t end)
{
	struct arena *a = y->l->s->arena;
	struct source *part = source_from_text(
		a, y->source->name, arena_strndup(a, y->source->text + begin, end - begin),
		end - begin);
	struct strbuf out;

	strbuf_init(&out, a);
	if (!reformat_source(y->l->s, part, &out) ||
	    (out.len == part->len && !memcmp(out.s, part->text, out.len)))
		return;
	json_array_append_new(y->edits, json_pack("{s:o,s:s}", "range",
						  document_range(y->l, y->source, begin, end),
						  "newText", out.s));
}

/*
 * Adds edits for the parts that begin on their own line and are not inside a conditional,
 * if nothing in them is broken.
 */
static void add_parts(struct layout *y, const struct pieces *p)
{
	uint32_t begin = 0;
	bool is_broken = false;

	vec_each(&p->list, i) {
		const struct piece *piece = &p->list.data[i], *next = piece + 1;
		bool is_last = i + 1 == p->list.count;

		is_broken |= piece->is_broken || piece->is_open;
		if (!is_last && (!next->begins_line || next->in_conditional))
			continue;
		if (!is_broken)
			add_edit(y, begin, is_last ? (uint32_t)y->source->len : next->begin);
		is_broken = false;
		begin = is_last ? begin : next->begin;
	}
}

json_t *formatting_answer(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	struct layout y = { .listener = { hear }, .l = l, .edits = json_array() };
	const struct unit *u;
	struct pieces pieces;

	if (!d)
		return y.edits;
	y.source = document_source(l, d);
	u = parse(&y);
	if (!y.errors.count) {
		add_edit(&y, 0, (uint32_t)y.source->len);
		return y.edits;
	}
	textpieces_read(l->s->arena, y.source, u, &pieces);
	vec_each(&y.errors, i)
		textpieces_mark(&pieces, y.errors.data[i]);
	add_parts(&y, &pieces);
	return y.edits;
}
