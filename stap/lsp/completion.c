/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that could be used at a place of a document, each with its kind. */
#include "stap/lsp/candidates.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "base/lexical.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "probe/probe.h"
#include "sem/listing.h"
#include "stap/lsp/inference.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/spot.h"
#include "stap/lsp/textpieces.h"

/* ---- items ---- */

static void add(struct candidates *c, const char *name, enum candidate_kind kind,
		const char *detail)
{
	candidates_add(c, &(struct candidate){ name, kind, detail, NULL });
}

/* ---- the library ---- */

/*
 * Adds the names of the library. Functions are shown with their synopsis, and their
 * description below; points only with their description.
 */
static void add_docs(struct candidates *c, enum doc_kind kind, enum candidate_kind as)
{
	vec_each(&c->l->docs.list, i) {
		const struct doc *d = c->l->docs.list.data[i];
		const char *synopsis = d->synopsis.count ? d->synopsis.data[0] : NULL;

		if (d->kind != kind)
			continue;
		candidates_add(c, &(struct candidate){ d->name, as,
						       kind == DOC_PROBE ? d->summary : synopsis,
						       kind == DOC_PROBE ? synopsis : d->summary });
	}
}

/* Returns a one-line description of a point of the language; NULL: it has no row. */
static const char *point_text(const char *form)
{
	static const struct {
		const char *pattern, *text;
	} rows[] = {
#define POINT(pattern, text) { pattern, text },
#include "stap/lsp/points.def"
#undef POINT
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!fnmatch(rows[i].pattern, form, 0))
			return rows[i].text;
	return NULL;
}

static void add_points(struct candidates *c)
{
	for (unsigned i = 0; i < probe_family_count; i++)
		for (const char *line = probe_families[i]->help; *line;) {
			size_t len = strcspn(line, "\n");
			const char *form = arena_strndup(c->l->s->arena, line, len);

			add(c, form, CANDIDATE_EVENT, point_text(form));
			line += len + (line[len] == '\n');
		}
	add_docs(c, DOC_PROBE, CANDIDATE_EVENT);
}

/* ---- the document ---- */

/* Adds the document's functions and globals, with the types inferred from their uses. */
static void add_own(struct candidates *c, const struct unit *u)
{
	vec_each(&u->functions, i)
		add(c, u->functions.data[i]->name, CANDIDATE_FUNCTION,
		    listing_function(c->l->s, u->functions.data[i]));
	vec_each(&u->globals, i) {
		const struct symbol *g = u->globals.data[i];

		add(c, g->name, CANDIDATE_VARIABLE,
		    arena_printf(c->l->s->arena, "global %s%s", g->name,
				 inference_global(c->l->s->arena, g)));
	}
}

/*
 * Adds the parameters and locals of the declaration around the place. Leaves out the word
 * that is being written.
 */
static void add_locals(struct candidates *c, const struct spot *at, const struct inference *in)
{
	struct pieces pieces;
	const struct piece *around;

	textpieces_read(c->l->s->arena, at->source, in->unit, &pieces);
	around = textpieces_at(&pieces, at->offset);
	vec_each(&in->names, i) {
		const struct inferred *one = &in->names.data[i];

		if (around && one->at >= around->begin && one->at < around->end &&
		    one->at != at->word.begin &&
		    (one->kind == INFERRED_PARAMETER || one->kind == INFERRED_LOCAL))
			add(c, one->name, CANDIDATE_VARIABLE, one->type);
	}
}

static void add_variables(struct candidates *c, const struct spot *at)
{
	static const char *const sets[][2] = {
		{ "$$vars", "parameters and locals, as text" },
		{ "$$locals", "local variables, as text" },
		{ "$$parms", "parameters, as text" },
		{ "$$return", "the value that is returned, as text" },
	};
	name_list names = { 0 };

	if (at->place.header)
		ask_variables(c->l, spot_points(c->l, at), &names);
	for (size_t i = 0; at->name[0] == '$' && i < sizeof(sets) / sizeof(sets[0]); i++)
		add(c, sets[i][0], CANDIDATE_VARIABLE, sets[i][1]);
	vec_each(&names, i) {
		size_t len = strcspn(names.data[i], ":");

		add(c, arena_strndup(c->l->s->arena, names.data[i], len), CANDIDATE_VARIABLE,
		    names.data[i] + len + 1);
	}
}

/* ---- keywords ---- */

static bool declares(const char *word)
{
	static const char *const words[] = { "probe", "global", "private", "function" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

/* Adds the words that begin declarations, or all others. */
static void add_keywords(struct candidates *c, bool in_body)
{
	const char *word;

	for (size_t i = 0; (word = lexical_keyword(i)) != NULL; i++)
		if (declares(word) != in_body)
			add(c, word, CANDIDATE_KEYWORD, NULL);
}

static void add_words(struct candidates *c, const struct spot *at)
{
	struct inference in;

	add_variables(c, at);
	if (at->name[0] == '$')
		return;
	add_docs(c, DOC_MACRO, CANDIDATE_KEYWORD);
	if (at->name[0] == '@')
		return;
	inference_run(c->l, at->document, &in);
	add_locals(c, at, &in);
	add_own(c, in.unit);
	add_keywords(c, true);
	add_docs(c, DOC_FUNCTION, CANDIDATE_FUNCTION);
}

/* ---- strings of points ---- */

/*
 * Returns where the last of several points begins: commas inside brackets belong to
 * one point.
 */
static size_t last_point(const char *text, size_t begin, size_t end)
{
	size_t ret = begin;

	for (size_t i = begin, depth = 0; i < end; i++) {
		depth += text[i] == '(';
		depth -= text[i] == ')' && depth;
		if (text[i] == ',' && !depth)
			ret = i + 1;
	}
	return ret + strspn(text + ret, " \t\n");
}

/* Adds strings that complete a text such as `kernel.function("vfs_` to a point. */
static void add_strings(struct candidates *c, const struct spot *at)
{
	const char *text = at->source->text;
	size_t begin = last_point(text, at->place.header, at->place.string);
	name_list points = { 0 };

	if (paths_add(c, at))
		return;
	ask_points(
		c->l,
		arena_printf(c->l->s->arena, "%.*s*\")", (int)(at->offset - begin), text + begin),
		&points);
	vec_each(&points, i) {
		const char *point = points.data[i], *string;

		if (strncmp(point, text + begin, at->place.string - begin))
			continue;
		string = point + (at->place.string - begin);
		add(c, arena_strndup(c->l->s->arena, string, strcspn(string, "\"@")),
		    CANDIDATE_FUNCTION, point);
	}
}

/* ---- the answer ---- */

/* True: the editor asks because of a '/', which has a meaning only in paths. */
static bool is_about_path(const json_t *params)
{
	const char *typed = json_string_value(
		json_object_get(json_object_get(params, "context"), "triggerCharacter"));

	return typed && !strcmp(typed, "/");
}

static void add_all(struct candidates *c, const struct spot *at)
{
	if (at->place.string && at->place.kind == PLACE_HEADER)
		add_strings(c, at);
	else if (at->place.string)
		return;
	else if (at->place.kind == PLACE_HEADER)
		add_points(c);
	else if (at->place.kind == PLACE_BODY)
		add_words(c, at);
	else
		add_keywords(c, false);
}

json_t *completion_answer(struct lsp *l, const json_t *params)
{
	struct candidates c = { .l = l, .list = json_array() };
	uint32_t begin;
	struct spot at;

	if (!spot_find(l, params, &at) || (is_about_path(params) && !at.place.string))
		return NULL;
	begin = at.place.string ? (uint32_t)at.place.string : at.word.begin;
	candidates_replace(&c, at.source, begin, at.offset);
	add_all(&c, &at);
	json_decref(c.range);
	return json_pack("{s:b,s:o}", "isIncomplete", (int)c.is_cut, "items", c.list);
}
