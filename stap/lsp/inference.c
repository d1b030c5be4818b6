/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/inference.h"

#include <string.h>

#include "ast/node.h"
#include "ast/program.h"
#include "base/diag.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parse.h"
#include "stap/lsp/examine.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/textpieces.h"

static void ignore(struct diag_listener *listener, struct loc loc, enum diag_level level,
		   const char *text)
{
}

/* Returns the type's name; "": the value has none. */
static const char *type_text(enum type type)
{
	return type == TYPE_UNKNOWN || type == TYPE_VOID || type == TYPE_ERROR
		       ? ""
		       : node_type_name(type);
}

const char *inference_global(struct arena *a, const struct symbol *g)
{
	const char *type = type_text(g->type);
	struct strbuf out;

	strbuf_init(&out, a);
	for (int i = 0; i < g->arity; i++) {
		const char *key = type_text(g->key_types[i]);

		strbuf_addf(&out, "%s%s", i ? ", " : "[", *key ? key : "?");
	}
	if (g->arity > 0)
		strbuf_addc(&out, ']');
	if (*type)
		strbuf_addf(&out, ":%s", type);
	return out.s;
}

/*
 * Adds a name of the document. It may be seen several times, once for each point of its
 * probe.
 */
static void add(struct arena *a, struct inference *ret, enum inferred_kind kind, const char *name,
		const char *type, struct loc loc)
{
	struct inferred one = { kind, name, type, loc.begin, loc.end };

	if (loc.source != ret->unit->source || loc.via)
		return;
	vec_each(&ret->names, i) {
		struct inferred *before = &ret->names.data[i];

		if (before->at != one.at || strcmp(before->name, name))
			continue;
		if (!*before->type)
			before->type = type;
		return;
	}
	vec_push(a, &ret->names, one);
}

static void add_symbols(struct arena *a, struct inference *ret, enum inferred_kind kind,
			struct symbol *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(a, ret, kind, list[i]->name,
		    kind == INFERRED_GLOBAL ? inference_global(a, list[i])
					    : type_text(list[i]->type),
		    list[i]->loc);
}

static void add_function(struct arena *a, struct inference *ret, const struct function *f)
{
	add(a, ret, INFERRED_FUNCTION, f->name, type_text(f->type), f->loc);
	add_symbols(a, ret, INFERRED_PARAMETER, f->params.data, f->params.count);
	add_symbols(a, ret, INFERRED_LOCAL, f->locals.data, f->locals.count);
}

/*
 * Moves a local to its first place in the text: a loop's names are resolved after its
 * body.
 */
static void move_to_first(const struct pieces *p, struct inferred *one)
{
	const struct piece *piece = textpieces_at(p, one->at);

	for (size_t i = piece->first; i < piece->last; i++) {
		const struct lexeme *x = &p->x.list.data[i];

		if (x->kind != LEXEME_VARIABLE || !lexeme_is(&p->x, x, one->name))
			continue;
		one->at = x->begin;
		one->end = x->end;
		return;
	}
}

static void move_locals(struct arena *a, struct inference *in)
{
	struct pieces pieces;

	textpieces_read(a, in->unit->source, in->unit, &pieces);
	vec_each(&in->names, i)
		if (in->names.data[i].kind == INFERRED_LOCAL)
			move_to_first(&pieces, &in->names.data[i]);
}

void inference_run(struct lsp *l, const struct document *d, struct inference *ret)
{
	struct diag_listener listener = { ignore };
	struct arena *a = l->s->arena;
	struct examined c;
	const struct program *p;

	*ret = (struct inference){ 0 };
	if (!examine_parse(l, d, &listener, &c))
		examine_types(&c);
	ret->unit = c.unit ? c.unit : parse_source(l->s, document_source(l, d));
	p = c.s.program;
	add_symbols(a, ret, INFERRED_GLOBAL, ret->unit->globals.data, ret->unit->globals.count);
	vec_each(&ret->unit->functions, i)
		add_function(a, ret, ret->unit->functions.data[i]);
	/* Functions that use target variables are copied for each probe. */
	vec_each(&p->functions, i)
		add_function(a, ret, p->functions.data[i]);
	vec_each(&p->handlers, i)
		add_symbols(a, ret, INFERRED_LOCAL, p->handlers.data[i]->locals.data,
			    p->handlers.data[i]->locals.count);
	move_locals(a, ret);
}

/* ---- hints ---- */

/* True: the text gives the type itself, n:long. */
static bool is_given(const struct source *source, uint32_t end)
{
	const char *behind = source->text + end;

	return behind[strspn(behind, " \t\n")] == ':';
}

static bool is_between(const struct source *source, uint32_t at, uint32_t begin, uint32_t end)
{
	return at >= begin && (at <= end || end >= source->len);
}

json_t *inference_answer_hints(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	const json_t *range = json_object_get(params, "range");
	json_t *ret = json_array();
	struct source *source;
	struct inference in;
	uint32_t begin, end;

	if (!d)
		return ret;
	source = document_source(l, d);
	begin = document_offset(l, source, json_object_get(range, "start"));
	end = range ? document_offset(l, source, json_object_get(range, "end"))
		    : (uint32_t)source->len;
	inference_run(l, d, &in);
	vec_each(&in.names, i) {
		const struct inferred *one = &in.names.data[i];
		json_t *place;

		if (!*one->type || !is_between(source, one->end, begin, end) ||
		    is_given(source, one->end))
			continue;
		place = document_range(l, source, one->end, one->end);
		json_array_append_new(
			ret, json_pack("{s:O,s:o,s:i}", "position", json_object_get(place, "start"),
				       "label",
				       json_sprintf("%s%s", one->kind == INFERRED_GLOBAL ? "" : ":",
						    one->type),
				       "kind", 1));
		json_decref(place);
	}
	return ret;
}
