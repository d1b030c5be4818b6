/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the uses of a name in a document, and changes it in all of them. */
#include <ctype.h>
#include <string.h>

#include "base/lexical.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/word.h"
#include "parse/parse.h"
#include "stap/lsp/lexemes.h"
#include "stap/lsp/lsp.h"

/* A request about the name at a place. */
struct asked {
	struct source *source;
	struct lexemes x;
	const struct lexeme *name;
};

/* False: there is no name of a function or variable at this place. */
static bool find(struct lsp *l, const json_t *params, struct asked *ret)
{
	const struct document *d = documents_asked(l, params);
	uint32_t offset;

	if (!d)
		return false;
	ret->source = document_source(l, d);
	offset = document_offset(l, ret->source, json_object_get(params, "position"));
	lexemes_read(l->s->arena, ret->source, parse_source(l->s, ret->source), &ret->x);
	ret->name = lexemes_at(&ret->x, offset);
	return ret->name &&
	       (ret->name->kind == LEXEME_FUNCTION || ret->name->kind == LEXEME_PARAMETER ||
		ret->name->kind == LEXEME_VARIABLE);
}

static json_t *range_of(struct lsp *l, const struct asked *q, const struct lexeme *one)
{
	return document_range(l, q->source, one->begin, one->end);
}

json_t *occurrences_answer_references(struct lsp *l, const json_t *params)
{
	bool all = json_is_true(
		json_object_get(json_object_get(params, "context"), "includeDeclaration"));
	json_t *ret = json_array();
	struct asked q;

	if (!find(l, params, &q))
		return ret;
	vec_each(&q.x.list, i) {
		const struct lexeme *one = &q.x.list.data[i];

		if (lexemes_mean_same(&q.x, q.name, one) && (all || !one->is_declaration))
			json_array_append_new(ret, json_pack("{s:s,s:o}", "uri", q.source->name,
							     "range", range_of(l, &q, one)));
	}
	return ret;
}

/* ---- rename ---- */

/* True: embedded C in the scope of the name may use it, as part of its own names. */
static bool is_in_embedded(const struct asked *q)
{
	const char *name = q->x.text + q->name->begin;
	size_t len = q->name->end - q->name->begin;
	bool everywhere = q->name->kind == LEXEME_FUNCTION || q->name->is_global;

	vec_each(&q->x.list, i) {
		const struct lexeme *one = &q->x.list.data[i];

		if (one->kind == LEXEME_EMBEDDED && (everywhere || one->piece == q->name->piece) &&
		    memmem(q->x.text + one->begin, one->end - one->begin, name, len))
			return true;
	}
	return false;
}

/*
 * True: the document itself defines the name, so that it can be renamed. A variable that
 * it only reads may come from an alias; variables of an alias are visible to its users.
 */
static bool is_own(const struct asked *q)
{
	bool is_local = q->name->kind == LEXEME_VARIABLE && !q->name->is_global;

	if (is_local && q->x.is_alias.data[q->name->piece])
		return false;
	vec_each(&q->x.list, i) {
		const struct lexeme *one = &q->x.list.data[i];

		if (lexemes_mean_same(&q->x, q->name, one) &&
		    (is_local ? one->is_set : one->is_declaration))
			return true;
	}
	return false;
}

static bool is_taken(struct lsp *l, const struct asked *q, const char *name)
{
	const char *word;

	for (size_t i = 0; (word = lexical_keyword(i)) != NULL; i++)
		if (!strcmp(word, name))
			return true;
	vec_each(&q->x.list, i) {
		const struct lexeme *one = &q->x.list.data[i];

		if ((one->kind == LEXEME_VARIABLE || one->kind == LEXEME_PARAMETER ||
		     one->kind == LEXEME_FUNCTION) &&
		    lexeme_is(&q->x, one, name))
			return true;
	}
	return false;
}

static bool is_possible(const char *name)
{
	size_t len = name ? word_length(name) : 0;

	return len && !name[len] && !isdigit((unsigned char)name[0]);
}

json_t *occurrences_answer_prepare(struct lsp *l, const json_t *params)
{
	struct asked q;

	if (!find(l, params, &q) || !is_own(&q) || is_in_embedded(&q))
		return NULL;
	return range_of(l, &q, q.name);
}

json_t *occurrences_answer_rename(struct lsp *l, const json_t *params)
{
	const char *name = json_string_value(json_object_get(params, "newName"));
	json_t *edits, *ret;
	struct asked q;

	if (!find(l, params, &q) || !is_own(&q) || is_in_embedded(&q) || !is_possible(name) ||
	    is_taken(l, &q, name))
		return NULL;
	edits = json_array();
	vec_each(&q.x.list, i)
		if (lexemes_mean_same(&q.x, q.name, &q.x.list.data[i]))
			json_array_append_new(edits, json_pack("{s:o,s:s}", "range",
							       range_of(l, &q, &q.x.list.data[i]),
							       "newText", name));
	ret = json_pack("{s:{}}", "changes");
	json_object_set_new(json_object_get(ret, "changes"), q.source->name, edits);
	return ret;
}
