/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports the kind of each word, for the editor's colours: semantic tokens. */
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "stap/lsp/lexemes.h"
#include "stap/lsp/lsp.h"

/* In the order of the legend. */
static const struct {
	enum lexeme_kind kind;
	const char *name;
} types[] = {
	{ LEXEME_KEYWORD, "keyword" },	 { LEXEME_FUNCTION, "function" },
	{ LEXEME_VARIABLE, "variable" }, { LEXEME_PARAMETER, "parameter" },
	{ LEXEME_POINT, "event" },	 { LEXEME_MEMBER, "property" },
	{ LEXEME_TARGET, "macro" },	 { LEXEME_OPERATOR, "decorator" },
	{ LEXEME_STRING, "string" },	 { LEXEME_NUMBER, "number" },
	{ LEXEME_COMMENT, "comment" },
};
enum { TYPES = sizeof(types) / sizeof(types[0]) };

enum modifier { MODIFIER_DECLARATION = 1, MODIFIER_STATIC = 2 };

json_t *paint_legend(void)
{
	json_t *names = json_array();

	for (size_t i = 0; i < TYPES; i++)
		json_array_append_new(names, json_string(types[i].name));
	return json_pack("{s:o,s:[s,s]}", "tokenTypes", names, "tokenModifiers", "declaration",
			 "static");
}

/* The place of the previous token, to which the next one is relative. */
struct painter {
	struct lsp *l;
	struct source *source;
	json_t *data;
	json_int_t line, character;
};

static json_int_t number_of(const json_t *position, const char *member)
{
	return json_integer_value(json_object_get(position, member));
}

/* Adds a part of a token that is in one line. */
static void add(struct painter *p, uint32_t begin, uint32_t end, unsigned type, unsigned modifiers)
{
	json_t *range = document_range(p->l, p->source, begin, end);
	const json_t *from = json_object_get(range, "start"), *to = json_object_get(range, "end");
	json_int_t line = number_of(from, "line"), at = number_of(from, "character");
	json_int_t numbers[] = { line - p->line, line == p->line ? at - p->character : at,
				 number_of(to, "character") - at, type, modifiers };

	for (int i = 0; i < 5 && end > begin; i++)
		json_array_append_new(p->data, json_integer(numbers[i]));
	if (end > begin) {
		p->line = line;
		p->character = at;
	}
	json_decref(range);
}

static void add_lexeme(struct painter *p, const struct lexeme *l, unsigned type)
{
	unsigned modifiers = (l->is_declaration ? MODIFIER_DECLARATION : 0) |
			     (l->is_global ? MODIFIER_STATIC : 0);
	const char *text = p->source->text;

	for (uint32_t at = l->begin; at < l->end;) {
		const char *line_end = memchr(text + at, '\n', l->end - at);
		uint32_t end = line_end ? (uint32_t)(line_end - text) : l->end;

		add(p, at, end, type, modifiers);
		at = end + 1;
	}
}

json_t *paint_answer_tokens(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	struct painter p = { .l = l, .data = json_array() };
	struct lexemes x;

	if (!d)
		return json_pack("{s:o}", "data", p.data);
	p.source = document_source(l, d);
	lexemes_read(l->s->arena, p.source, parse_source(l->s, p.source), &x);
	vec_each(&x.list, i)
		for (unsigned type = 0; type < TYPES; type++)
			if (types[type].kind == x.list.data[i].kind)
				add_lexeme(&p, &x.list.data[i], type);
	return json_pack("{s:o}", "data", p.data);
}
