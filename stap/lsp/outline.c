/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole of a document: its declarations, and its standard layout. */
#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parse.h"
#include "parse/reformat.h"
#include "stap/lsp/lsp.h"

/* Numbers of the protocol. */
enum symbol_shown { SHOWN_FUNCTION = 12, SHOWN_VARIABLE = 13, SHOWN_EVENT = 24 };

struct outline {
	struct lsp *l;
	struct source *source;
	json_t *list;
};

static void add(struct outline *o, const char *name, enum symbol_shown kind, struct loc loc)
{
	json_t *range = document_range(o->l, o->source, loc.begin, loc.end);

	json_array_append_new(o->list,
			      json_pack("{s:s,s:i,s:O,s:o}", "name", name, "kind", (int)kind,
					"range", range, "selectionRange", range));
}

json_t *outline_answer_symbols(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	struct outline o = { .l = l, .list = json_array() };
	const struct unit *u;

	if (!d)
		return o.list;
	o.source = document_source(l, d);
	u = parse_source(l->s, o.source);
	vec_each(&u->globals, i)
		add(&o, u->globals.data[i]->name, SHOWN_VARIABLE, u->globals.data[i]->loc);
	vec_each(&u->aliases, i) {
		const struct alias *a = u->aliases.data[i];

		add(&o, unparse_components(l->s->arena, &a->name), SHOWN_EVENT, a->loc);
	}
	vec_each(&u->functions, i)
		add(&o, u->functions.data[i]->name, SHOWN_FUNCTION, u->functions.data[i]->loc);
	vec_each(&u->probes, i)
		add(&o,
		    unparse_points(l->s->arena, u->probes.data[i]->points.data,
				   u->probes.data[i]->points.count, ", "),
		    SHOWN_EVENT, u->probes.data[i]->loc);
	return o.list;
}

json_t *outline_answer_formatting(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	struct source *source;
	struct strbuf out;

	if (!d)
		return NULL;
	source = document_source(l, d);
	strbuf_init(&out, l->s->arena);
	if (!reformat_source(l->s, source, &out))
		return NULL;
	return json_pack("[{s:o,s:s}]", "range",
			 document_range(l, source, 0, (uint32_t)source->len), "newText", out.s);
}
