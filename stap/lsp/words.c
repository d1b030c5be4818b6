/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names in a document: their meaning, their declaration, and names that could stand
 * there.
 */
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/macro.h"
#include "parse/parse.h"
#include "probe/probe.h"
#include "sem/listing.h"
#include "stap/lsp/cursor.h"
#include "stap/lsp/lsp.h"

/*
 * The most completions that anybody reads; the editor asks again when more has been
 * written.
 */
#define COMPLETIONS_MAX 500

/* The place that the question points to. */
struct spot {
	struct source *source;
	struct place place;
	uint32_t offset;
	struct loc word;    /* in a header with dots, in a body with '$' or '@' */
	const char *name;   /* its text */
};

static bool spot_find(struct lsp *l, const json_t *params, struct spot *ret)
{
	const struct document *d = documents_asked(l, params);
	size_t begin, end;

	if (!d)
		return false;
	ret->source = document_source(l, d);
	ret->offset = document_offset(l, ret->source, json_object_get(params, "position"));
	cursor_find(ret->source->text, ret->source->len, ret->offset, &ret->place);
	cursor_word(ret->source->text, ret->source->len, ret->offset,
		    ret->place.kind == PLACE_HEADER ? ".*" : "$@", &begin, &end);
	ret->word = (struct loc){ .source = ret->source,
				  .begin = (uint32_t)begin,
				  .end = (uint32_t)end };
	ret->name = arena_strndup(l->s->arena, ret->source->text + begin, end - begin);
	return ret->place.kind != PLACE_COMMENT;
}

/* Returns the points of the probe that the place is in. */
static const char *points_around(struct lsp *l, const struct spot *at)
{
	return arena_strndup(l->s->arena, at->source->text + at->place.header,
			     at->place.header_end - at->place.header);
}

const struct doc *words_doc(const struct lsp *l, const char *name)
{
	const struct doc *d = NULL;

	for (int kind = 0; !d && kind < DOC_KINDS; kind++)
		d = docs_find(&l->docs, kind, name);
	return d;
}

/* ---- hover ---- */

/* Returns the text of a variable of the point, or of its aliases. */
static const char *variable_text(struct lsp *l, const struct spot *at)
{
	name_list names = { 0 };
	size_t len = strlen(at->name);

	if (at->place.kind != PLACE_BODY || !at->place.header)
		return NULL;
	ask_variables(l, points_around(l, at), &names);
	vec_each(&names, i)
		if (!strncmp(names.data[i], at->name, len) && names.data[i][len] == ':')
			return arena_printf(l->s->arena, "%s: %s", at->name,
					    names.data[i] + len + 1);
	return NULL;
}

static const char *global_text(struct lsp *l, const struct spot *at)
{
	struct strbuf out;

	strbuf_init(&out, l->s->arena);
	strbuf_addf(&out, "global %s", at->name);
	lastrun_add(l, at->source, at->name, &out);
	return out.s;
}

/* Returns the text of the script's own name. */
static const char *own_text(struct lsp *l, const struct spot *at)
{
	const struct unit *u = parse_source(l->s, at->source);

	vec_each(&u->functions, i)
		if (!strcmp(u->functions.data[i]->name, at->name))
			return arena_printf(l->s->arena, "function %s",
					    listing_function(l->s, u->functions.data[i]));
	vec_each(&u->globals, i)
		if (!strcmp(u->globals.data[i]->name, at->name))
			return global_text(l, at);
	return NULL;
}

json_t *words_answer_hover(struct lsp *l, const json_t *params)
{
	const struct doc *d;
	const char *text;
	struct strbuf out;
	struct spot at;

	if (!spot_find(l, params, &at) || !*at.name || at.place.string)
		return NULL;
	strbuf_init(&out, l->s->arena);
	text = at.name[0] == '$' ? NULL : own_text(l, &at);
	d = text ? NULL : words_doc(l, at.name);
	if (d)
		doc_text(l->s, &l->docs, d, &out);
	else if (text || (text = variable_text(l, &at)))
		strbuf_adds(&out, text);
	else
		return NULL;
	return json_pack("{s:{s:s,s:s},s:o}", "contents", "kind", "plaintext", "value", out.s,
			 "range", document_range(l, at.source, at.word.begin, at.word.end));
}

/* ---- definition ---- */

/* Finds the name in this unit; false: it has no such name. */
static bool find_in_unit(struct lsp *l, const struct unit *u, const char *name, struct loc *ret)
{
	vec_each(&u->functions, i)
		if (!strcmp(u->functions.data[i]->name, name)) {
			*ret = u->functions.data[i]->loc;
			return true;
		}
	vec_each(&u->globals, i)
		if (!strcmp(u->globals.data[i]->name, name)) {
			*ret = u->globals.data[i]->loc;
			return true;
		}
	vec_each(&u->aliases, i)
		if (!strcmp(unparse_components(l->s->arena, &u->aliases.data[i]->name), name)) {
			*ret = u->aliases.data[i]->loc;
			return true;
		}
	return false;
}

static bool find_in_library(struct lsp *l, const char *name, struct loc *ret)
{
	const struct macros *m = macrolib_get(l->s);

	vec_each(&l->s->program->library, i)
		if (find_in_unit(l, l->s->program->library.data[i], name, ret))
			return true;
	vec_each(&m->list, i)
		if (name[0] == '@' && !strcmp(m->list.data[i].name, name + 1)) {
			*ret = m->list.data[i].loc;
			return true;
		}
	return false;
}

/* Returns file:///… of the path. */
static const char *uri_of(struct lsp *l, const char *path)
{
	struct strbuf out;

	strbuf_init(&out, l->s->arena);
	strbuf_adds(&out, "file://");
	for (; *path; path++)
		if (strchr("/._-", *path) || (*path >= '0' && *path <= '9') ||
		    ((*path | 32) >= 'a' && (*path | 32) <= 'z'))
			strbuf_addc(&out, *path);
		else
			strbuf_addf(&out, "%%%02X", (unsigned char)*path);
	return out.s;
}

json_t *words_answer_definition(struct lsp *l, const json_t *params)
{
	struct loc found;
	struct spot at;

	if (!spot_find(l, params, &at) || !*at.name || at.place.string)
		return NULL;
	if (find_in_unit(l, parse_source(l->s, at.source), at.name, &found))
		return json_pack("{s:s,s:o}", "uri", at.source->name, "range",
				 document_range(l, at.source, found.begin, found.end));
	if (find_in_library(l, at.name, &found))
		return json_pack("{s:s,s:o}", "uri", uri_of(l, found.source->name), "range",
				 document_range(l, found.source, found.begin, found.end));
	return NULL;
}

/* ---- completion ---- */

/* Numbers of the protocol. */
enum item_kind { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_KEYWORD = 14, ITEM_EVENT = 23 };

struct items {
	struct lsp *l;
	json_t *list;
	json_t *range;      /* the range that an item replaces */
	const char *prefix;
	bool is_cut;
};

static void add_item(struct items *items, const char *name, enum item_kind kind, const char *detail)
{
	json_t *item;

	if (strncmp(name, items->prefix, strlen(items->prefix)))
		return;
	if (json_array_size(items->list) >= COMPLETIONS_MAX) {
		items->is_cut = true;
		return;
	}
	item = json_pack("{s:s,s:i,s:{s:s,s:O}}", "label", name, "kind", (int)kind, "textEdit",
			 "newText", name, "range", items->range);
	if (detail)
		json_object_set_new(item, "detail", json_string(detail));
	json_array_append_new(items->list, item);
}

static void add_docs(struct items *items, enum doc_kind kind, enum item_kind as)
{
	vec_each(&items->l->docs.list, i) {
		const struct doc *d = items->l->docs.list.data[i];

		if (d->kind == kind)
			add_item(items, d->name, as, d->summary);
	}
}

static void add_points(struct items *items)
{
	for (unsigned i = 0; i < probe_family_count; i++)
		for (const char *line = probe_families[i]->help; *line;) {
			size_t len = strcspn(line, "\n");

			add_item(items, arena_strndup(items->l->s->arena, line, len), ITEM_EVENT,
				 NULL);
			line += len + (line[len] == '\n');
		}
	add_docs(items, DOC_PROBE, ITEM_EVENT);
}

static void add_own(struct items *items, struct source *source)
{
	const struct unit *u = parse_source(items->l->s, source);

	vec_each(&u->functions, i)
		add_item(items, u->functions.data[i]->name, ITEM_FUNCTION,
			 listing_function(items->l->s, u->functions.data[i]));
	vec_each(&u->globals, i)
		add_item(items, u->globals.data[i]->name, ITEM_VARIABLE, "global");
}

static void add_variables(struct items *items, const struct spot *at)
{
	static const char *const sets[][2] = {
		{ "$$vars", "parameters and locals, as text" },
		{ "$$locals", "local variables, as text" },
		{ "$$parms", "parameters, as text" },
		{ "$$return", "the value that is returned, as text" },
	};
	name_list names = { 0 };

	if (at->place.header)
		ask_variables(items->l, points_around(items->l, at), &names);
	for (size_t i = 0; at->name[0] == '$' && i < sizeof(sets) / sizeof(sets[0]); i++)
		add_item(items, sets[i][0], ITEM_VARIABLE, sets[i][1]);
	vec_each(&names, i) {
		size_t len = strcspn(names.data[i], ":");

		add_item(items, arena_strndup(items->l->s->arena, names.data[i], len),
			 ITEM_VARIABLE, names.data[i] + len + 1);
	}
}

static void add_words(struct items *items, const struct spot *at)
{
	const char *word;

	add_variables(items, at);
	if (at->name[0] == '$')
		return;
	add_docs(items, DOC_MACRO, ITEM_KEYWORD);
	if (at->name[0] == '@')
		return;
	add_own(items, at->source);
	for (size_t i = 0; (word = parse_keyword(i)) != NULL; i++)
		add_item(items, word, ITEM_KEYWORD, NULL);
	add_docs(items, DOC_FUNCTION, ITEM_FUNCTION);
}

/* Adds strings that complete the text from `kernel.function("vfs_` to here to a point. */
static void add_strings(struct items *items, const struct spot *at)
{
	const char *text = at->source->text;
	size_t begin = at->place.header;
	name_list points = { 0 };

	/*
	 * The last of several points counts: commas inside of brackets belong to one
	 * point.
	 */
	for (size_t i = begin, depth = 0; i < at->place.string; i++) {
		depth += text[i] == '(';
		depth -= text[i] == ')' && depth;
		if (text[i] == ',' && !depth)
			begin = i + 1;
	}
	begin += strspn(text + begin, " \t\n");
	ask_points(items->l,
		   arena_printf(items->l->s->arena, "%.*s*\")", (int)(at->offset - begin),
				text + begin),
		   &points);
	vec_each(&points, i) {
		const char *point = points.data[i], *string;

		if (strncmp(point, text + begin, at->place.string - begin))
			continue;
		string = point + (at->place.string - begin);
		add_item(items, arena_strndup(items->l->s->arena, string, strcspn(string, "\"@")),
			 ITEM_FUNCTION, NULL);
	}
}

json_t *words_answer_completion(struct lsp *l, const json_t *params)
{
	struct items items = { .l = l, .list = json_array() };
	uint32_t begin;
	struct spot at;

	if (!spot_find(l, params, &at))
		return NULL;
	begin = at.place.string ? (uint32_t)at.place.string : at.word.begin;
	items.range = document_range(l, at.source, begin, at.offset);
	items.prefix = arena_strndup(l->s->arena, at.source->text + begin, at.offset - begin);
	if (at.place.string && at.place.kind == PLACE_HEADER)
		add_strings(&items, &at);
	else if (at.place.kind == PLACE_HEADER)
		add_points(&items);
	else if (at.place.kind == PLACE_BODY && !at.place.string)
		add_words(&items, &at);
	else if (!at.place.string)
		for (size_t i = 0; i < 4; i++)
			add_item(&items, parse_keyword(i), ITEM_KEYWORD, NULL);
	json_decref(items.range);
	return json_pack("{s:b,s:o}", "isIncomplete", (int)items.is_cut, "items", items.list);
}
