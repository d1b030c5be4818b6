/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The declarations of a document. */
#include "ast/ast.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "stap/lsp/lsp.h"

struct outline {
	struct lsp *l;
	struct source *source;
	json_t *list;
};

static void add(struct outline *o, const char *name, enum outline_kind kind, struct loc loc)
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
		add(&o, u->globals.data[i]->name, OUTLINE_VARIABLE, u->globals.data[i]->loc);
	vec_each(&u->aliases, i) {
		const struct alias *a = u->aliases.data[i];

		add(&o, unparse_components(l->s->arena, &a->name), OUTLINE_EVENT, a->loc);
	}
	vec_each(&u->functions, i)
		add(&o, u->functions.data[i]->name, OUTLINE_FUNCTION, u->functions.data[i]->loc);
	vec_each(&u->probes, i)
		add(&o,
		    unparse_points(l->s->arena, u->probes.data[i]->points.data,
				   u->probes.data[i]->points.count, ", "),
		    OUTLINE_EVENT, u->probes.data[i]->loc);
	return o.list;
}
