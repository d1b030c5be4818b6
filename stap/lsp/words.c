/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in a document: their meaning and their declaration. */
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/macro.h"
#include "parse/parse.h"
#include "sem/listing.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/spot.h"

const struct doc *words_doc(const struct lsp *l, const char *name)
{
	const struct doc *d = NULL;

	for (int kind = 0; !d && kind < DOC_KINDS; kind++)
		d = docs_find(&l->docs, kind, name);
	return d;
}

/* ---- hover ---- */

/* Returns the text for a variable of the point, or of its aliases. */
static const char *variable_text(struct lsp *l, const struct spot *at)
{
	name_list names = { 0 };
	size_t len = strlen(at->name);

	if (at->place.kind != PLACE_BODY || !at->place.header)
		return NULL;
	ask_variables(l, spot_points(l, at), &names);
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

/* Returns the text for a name of the script itself. */
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

const char *words_uri(struct lsp *l, const char *path)
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
		return json_pack("{s:s,s:o}", "uri", words_uri(l, found.source->name), "range",
				 document_range(l, found.source, found.begin, found.end));
	return NULL;
}
