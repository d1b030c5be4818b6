/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds names that match a query, in all open documents and in the library. */
#include <ctype.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "stap/lsp/lsp.h"

/* More names than this nobody reads; the editor asks again after further typing. */
#define NAMES_MAX 500

struct query {
	struct lsp *l;
	const char *text;
	const char *uri; /* of the unit */
	bool is_near;	 /* names that contain the text, not only its letters in order */
	json_t *list;
};

/* True: the name has the letters of the query, in their order, in upper or lower case. */
static bool has_letters(const char *name, const char *query)
{
	for (; *name && *query; name++)
		query += tolower((unsigned char)*name) == tolower((unsigned char)*query);
	return !*query;
}

static bool is_wanted(const struct query *q, const char *name)
{
	return q->is_near ? strcasestr(name, q->text) != NULL
			  : !strcasestr(name, q->text) && has_letters(name, q->text);
}

static void add(struct query *q, const char *name, enum outline_kind kind, struct loc loc)
{
	if (json_array_size(q->list) >= NAMES_MAX || !loc.source || !is_wanted(q, name))
		return;
	json_array_append_new(q->list,
			      json_pack("{s:s,s:i,s:{s:s,s:o}}", "name", name, "kind", (int)kind,
					"location", "uri", q->uri, "range",
					document_range(q->l, loc.source, loc.begin, loc.end)));
}

static void add_unit(struct query *q, const struct unit *u)
{
	struct arena *a = q->l->s->arena;

	vec_each(&u->globals, i)
		if (!u->source->is_tapset || !u->globals.data[i]->is_private)
			add(q, u->globals.data[i]->name, OUTLINE_VARIABLE, u->globals.data[i]->loc);
	vec_each(&u->functions, i)
		if (!u->source->is_tapset || !u->functions.data[i]->is_private)
			add(q, u->functions.data[i]->name, OUTLINE_FUNCTION,
			    u->functions.data[i]->loc);
	vec_each(&u->aliases, i)
		add(q, unparse_components(a, &u->aliases.data[i]->name), OUTLINE_EVENT,
		    u->aliases.data[i]->loc);
	/* Probes of the library run with the scripts that use its names. */
	for (size_t i = 0; i < u->probes.count && !u->source->is_tapset; i++)
		add(q,
		    unparse_points(a, u->probes.data[i]->points.data,
				   u->probes.data[i]->points.count, ", "),
		    OUTLINE_EVENT, u->probes.data[i]->loc);
}

static void add_all(struct query *q)
{
	struct lsp *l = q->l;

	for (size_t i = 0; i < l->count; i++) {
		q->uri = l->documents[i].uri;
		add_unit(q, parse_source(l->s, document_source(l, &l->documents[i])));
	}
	vec_each(&l->s->program->library, i) {
		const struct unit *u = l->s->program->library.data[i];

		q->uri = words_uri(l, u->source->name);
		add_unit(q, u);
	}
}

json_t *workspace_answer_symbols(struct lsp *l, const json_t *params)
{
	const char *text = json_string_value(json_object_get(params, "query"));
	struct query q = { .l = l, .text = text ? text : "", .list = json_array() };

	q.is_near = true;
	add_all(&q);
	q.is_near = false;
	add_all(&q);
	return q.list;
}
