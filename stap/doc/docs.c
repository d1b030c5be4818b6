/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public names of the library and of the language, which must be documented. */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/macro.h"
#include "parse/parse.h"
#include "sem/listing.h"
#include "sem/match.h"
#include "sem/tapset.h"
#include "stap/doc/doc.h"

#define ALIAS_DEPTH 8

const char *const doc_kind_names[] = {
	[DOC_PROBE] = "probe", [DOC_FUNCTION] = "function", [DOC_MACRO] = "macro"
};

/*
 * Adds a name. They arrive unsorted: when all are there, they are sorted and overloads
 * are merged.
 */
static struct doc *add_name(struct session *s, struct docs *docs, enum doc_kind kind,
			    const char *name, const struct source *source)
{
	struct doc *d = arena_new(s->arena, struct doc);

	d->kind = kind;
	d->name = name;
	d->source = source;
	vec_push(s->arena, &docs->list, d);
	return d;
}

/* ---- functions ---- */

/* Returns "f:long (x:string)", without the type if the function returns nothing. */
static const char *function_synopsis(struct session *s, const struct function *f)
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	strbuf_adds(&out, f->name);
	if (f->type == TYPE_LONG || f->type == TYPE_STRING)
		strbuf_addf(&out, ":%s", f->type == TYPE_LONG ? "long" : "string");
	strbuf_addc(&out, '(');
	vec_each(&f->params, i) {
		const struct symbol *p = f->params.data[i];

		strbuf_addf(&out, "%s%s", i ? ", " : "", p->name);
		if (p->type == TYPE_LONG || p->type == TYPE_STRING)
			strbuf_addf(&out, ":%s", p->type == TYPE_LONG ? "long" : "string");
	}
	strbuf_addc(&out, ')');
	return out.s;
}

static void add_functions(struct session *s, struct docs *docs)
{
	dump_infer_library(s);
	vec_each(&s->program->functions, i) {
		const struct function *f = s->program->functions.data[i];
		struct doc *d;

		if (f->name[0] == '_' || f->is_private)
			continue;
		d = add_name(s, docs, DOC_FUNCTION, f->name, f->source);
		vec_push(s->arena, &d->synopsis, function_synopsis(s, f));
		vec_each(&f->params, k)
			docs_add_given(s, d, f->params.data[k]->name);
	}
}

/* ---- aliases ---- */

struct values {
	struct session *s;
	struct doc *d;
	const struct unit *unit;
};

static bool is_global(const struct unit *unit, const char *name)
{
	vec_each(&unit->globals, i)
		if (!strcmp(unit->globals.data[i]->name, name))
			return true;
	return false;
}

static int take_value(struct node *n, void *ctx)
{
	struct values *v = ctx;

	if (n->kind == NODE_ASSIGN && n->lhs->kind == NODE_NAME && n->lhs->name[0] != '_' &&
	    !is_global(v->unit, n->lhs->name))
		docs_add_given(v->s, v->d, n->lhs->name);
	return 0;
}

static const struct unit *unit_of(struct session *s, const struct source *source)
{
	vec_each(&s->program->library, i)
		if (s->program->library.data[i]->source == source)
			return s->program->library.data[i];
	return NULL;
}

/*
 * Returns the largest number of components of the point that an alias matches. Aliases
 * that match fewer are not used: a.b applies to a.b.c only if there is no alias a.b.c.
 */
static int most_matched(const struct point *p, const alias_list *aliases)
{
	int most = 0;

	vec_each(aliases, i) {
		int matched = match_alias(p, aliases->data[i]);

		most = matched > most ? matched : most;
	}
	return most;
}

/* Adds the values of an alias, and of the aliases that it refers to. */
static void take_values(struct session *s, struct doc *d, const struct alias *a, unsigned depth)
{
	struct values v = { s, d, unit_of(s, a->source) };

	if (a->prologue)
		ast_walk(a->prologue, take_value, NULL, &v);
	if (a->epilogue)
		ast_walk(a->epilogue, take_value, NULL, &v);
	vec_each(&a->points, i) {
		const struct point *p = a->points.data[i];
		alias_list inner = { 0 };
		int most;

		if (depth < ALIAS_DEPTH)
			tapset_aliases(s, p, &inner);
		most = most_matched(p, &inner);
		vec_each(&inner, k)
			if (inner.data[k] != a && match_alias(p, inner.data[k]) == most)
				take_values(s, d, inner.data[k], depth + 1);
	}
}

static void add_aliases(struct session *s, struct docs *docs)
{
	vec_each(&s->program->library, u) {
		const struct unit *unit = s->program->library.data[u];

		vec_each(&unit->aliases, i) {
			const struct alias *a = unit->aliases.data[i];
			struct doc *d;

			if (a->name.data[0].name[0] == '_')
				continue;
			d = add_name(s, docs, DOC_PROBE, unparse_components(s->arena, &a->name),
				     a->source);
			vec_push(s->arena, &d->synopsis, listing_alias(s, a));
			vec_each(&a->points, k)
				vec_push(s->arena, &d->stands_for,
					 unparse_components(s->arena,
							    &a->points.data[k]->components));
			take_values(s, d, a, 0);
		}
	}
}

/* ---- macros, and the language's own ---- */

static void add_macros(struct session *s, struct docs *docs)
{
	const struct macros *m = macrolib_get(s);

	vec_each(&m->list, i) {
		const struct macro *macro = &m->list.data[i];
		struct strbuf out;
		struct doc *d;

		if (macro->name[0] == '_')
			continue;
		strbuf_init(&out, s->arena);
		d = add_name(s, docs, DOC_MACRO, arena_printf(s->arena, "@%s", macro->name),
			     macro->loc.source);
		strbuf_addf(&out, "%s%s", d->name, macro->has_params ? "(" : "");
		vec_each(&macro->params, k) {
			strbuf_addf(&out, "%s%s", k ? ", " : "", macro->params.data[k]);
			docs_add_given(s, d, macro->params.data[k]);
		}
		vec_push(s->arena, &d->synopsis,
			 arena_printf(s->arena, "%s%s", out.s, macro->has_params ? ")" : ""));
	}
}

static void add_words(struct session *s, struct docs *docs)
{
	const char *name;

	for (size_t i = 0; (name = parse_print_name(i)) != NULL; i++)
		add_name(s, docs, DOC_FUNCTION, name, NULL);
	for (size_t i = 0; (name = parse_operator_name(i)) != NULL; i++)
		add_name(s, docs, DOC_MACRO, arena_printf(s->arena, "@%s", name), NULL);
}

/* ---- all names ---- */

static void add_source(struct session *s, struct docs *docs, const struct source *source)
{
	vec_each(&docs->sources, i)
		if (docs->sources.data[i] == source)
			return;
	vec_push(s->arena, &docs->sources, source);
}

void docs_read(struct session *s, struct docs *docs)
{
	*docs = (struct docs){ 0 };
	s->quiet = true;
	tapset_parse_all(s);
	add_functions(s, docs);
	add_aliases(s, docs);
	s->quiet = false;
	add_macros(s, docs);
	add_words(s, docs);
	docs_sort(s, docs);
	vec_each(&s->program->library, i)
		add_source(s, docs, s->program->library.data[i]->source);
	vec_each(&docs->list, i)
		if (docs->list.data[i]->source)
			add_source(s, docs, docs->list.data[i]->source);
	vec_each(&docs->sources, i)
		doc_comments(s, docs, docs->sources.data[i]);
}
