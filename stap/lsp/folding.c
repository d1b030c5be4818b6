/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a document that an editor can fold: blocks, comments, embedded C. */
#include <string.h>

#include "ast/node.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "stap/lsp/lexemes.h"
#include "stap/lsp/lsp.h"

/* The most that editors show; VS Code accepts 5000. */
#define FOLDS_MAX 5000

struct folding {
	struct lsp *l;
	struct source *source;
	struct lexemes x;
	VEC(unsigned) open;   /* lines of the open braces */
	unsigned first, last; /* range of consecutive comments; 0: none */
	json_t *list;
};

static unsigned line_of(struct folding *f, uint32_t offset)
{
	unsigned line, column;

	source_position(f->l->s->arena, f->source, offset, &line, &column);
	return line;
}

/* Adds a range of lines, counted from 1. */
static void add(struct folding *f, unsigned first, unsigned last, const char *kind)
{
	json_t *one;

	if (last <= first || json_array_size(f->list) >= FOLDS_MAX)
		return;
	one = json_pack("{s:i,s:i}", "startLine", (int)first - 1, "endLine", (int)last - 1);
	if (kind)
		json_object_set_new(one, "kind", json_string(kind));
	json_array_append_new(f->list, one);
}

static void end_comments(struct folding *f)
{
	if (f->first)
		add(f, f->first, f->last, "comment");
	f->first = 0;
}

/* Comments in consecutive lines fold as one. */
static void take_comment(struct folding *f, const struct lexeme *l)
{
	unsigned first = line_of(f, l->begin), last = line_of(f, l->end);

	if (f->source->text[l->begin + 1] == '*' && f->source->text[l->begin] == '/') {
		end_comments(f);
		add(f, first, last, "comment");
		return;
	}
	if (!f->first || first > f->last + 1) {
		end_comments(f);
		f->first = first;
	}
	f->last = last;
}

/* The line of the closing brace stays visible. */
static void close_block(struct folding *f, const struct lexeme *l)
{
	if (f->open.count)
		add(f, f->open.data[--f->open.count], line_of(f, l->begin) - 1, NULL);
}

static void take(struct folding *f, const struct lexeme *l)
{
	if (l->kind == LEXEME_COMMENT) {
		take_comment(f, l);
		return;
	}
	end_comments(f);
	if (l->kind == LEXEME_EMBEDDED)
		add(f, line_of(f, l->begin), line_of(f, l->end) - 1, NULL);
	else if (l->kind == LEXEME_SIGN && f->source->text[l->begin] == '{')
		vec_push(f->l->s->arena, &f->open, line_of(f, l->begin));
	else if (l->kind == LEXEME_SIGN && f->source->text[l->begin] == '}')
		close_block(f, l);
}

json_t *folding_answer_ranges(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	struct folding f = { .l = l, .list = json_array() };
	struct unit nothing = { 0 };

	if (!d)
		return f.list;
	f.source = document_source(l, d);
	lexemes_read(l->s->arena, f.source, &nothing, &f.x);
	vec_each(&f.x.list, i)
		take(&f, &f.x.list.data[i]);
	end_comments(&f);
	return f.list;
}
