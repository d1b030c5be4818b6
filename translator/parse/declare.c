/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations from what the grammar read: globals, functions, probes, aliases. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/session.h"
#include "parse/parser.h"

struct symbol *make_symbol(struct parser *p, enum symbol_kind kind, const struct token *name, enum type type)
{
	struct symbol *sym = arena_new(p->s->arena, struct symbol);

	sym->kind = kind;
	sym->name = sym->c_name = name->text;
	sym->loc = name->loc;
	sym->type = type;
	sym->type_loc = name->loc;
	sym->arity = kind == SYMBOL_GLOBAL ? -1 : 0;
	sym->source = p->unit->source;
	return sym;
}

void declare_globals(struct parser *p, symbol_list globals, bool is_private)
{
	vec_each(&globals, i) {
		struct symbol *sym = globals.data[i];

		sym->is_private = is_private;
		if (sym->init) {
			sym->arity = 0;
			sym->type = sym->type ? sym->type : sym->init->type;
			if (sym->max_entries || sym->wrap)
				parser_error(p, sym->loc, "an array cannot have an initial value");
			else if (sym->type != sym->init->type)
				parser_error(p, sym->init->loc, "the initial value does not fit the declared type");
		}
		vec_push(p->s->arena, &p->unit->globals, sym);
	}
}

/* Every comment of the C text that is the name of a pragma. */
unsigned pragmas_scan(const char *code, size_t len)
{
	static const char *const texts[PRAGMA_BIT_COUNT] = {
#define P(kind, text) [PRAGMA_BIT_##kind] = text,
		PRAGMAS(P)
#undef P
	};
	const char *end = code + len;
	unsigned found = 0;

	while ((code = memmem(code, (size_t)(end - code), "/*", 2)) != NULL) {
		const char *close = memmem(code, (size_t)(end - code), "*/", 2), *from = code + 2, *to = close;

		if (!close)
			break;
		while (from < to && isspace((unsigned char)*from))
			from++;
		while (to > from && isspace((unsigned char)to[-1]))
			to--;
		for (unsigned i = 0; i < PRAGMA_BIT_COUNT; i++)
			if (strlen(texts[i]) == (size_t)(to - from) && !memcmp(texts[i], from, (size_t)(to - from)))
				found |= 1u << i;
		code = close + 2;
	}
	return found;
}

void declare_function(struct parser *p, struct loc loc, const struct token *name, enum type type, symbol_list params,
		      int64_t priority, bool has_priority, bool is_private, struct node *body, const struct token *code)
{
	struct function *f = arena_new(p->s->arena, struct function);

	f->name = f->c_name = name->text;
	f->loc = loc;
	f->type = type;
	f->type_loc = loc;
	vec_each(&params, i) {
		for (size_t k = 0; k < i; k++)
			if (!strcmp(params.data[i]->name, params.data[k]->name))
				parser_error(p, params.data[i]->loc, "two parameters of this name");
		vec_push(p->s->arena, &f->params, params.data[i]);
	}
	f->body = body;
	if (code) {
		f->code = code->text;
		f->code_len = code->len;
		f->code_loc = code->loc;
		f->pragmas = pragmas_scan(code->text, code->len);
	}
	if (has_priority && priority < 1)
		parser_error(p, loc, "a function's priority is a number from 1");
	/* The user's definitions come before the library's. */
	f->priority = has_priority ? priority : p->unit->source->is_tapset;
	f->is_private = is_private;
	f->source = p->unit->source;
	vec_push(p->s->arena, &p->unit->functions, f);
}

void declare_embed(struct parser *p, const struct token *code)
{
	vec_push(p->s->arena, &p->unit->embeds, make_embed(p, code));
}

static void copy_points(struct parser *p, const point_list *from, point_list *to)
{
	vec_each(from, i)
		vec_push(p->s->arena, to, from->data[i]);
}

void declare_probe(struct parser *p, struct loc loc, point_list points, struct node *body)
{
	struct probe *probe = arena_new(p->s->arena, struct probe);
	point_list all = { 0 };

	copy_points(p, &points, &all);
	probe->loc = loc;
	memcpy(&probe->points, &all, sizeof(all));
	probe->body = body;
	probe->source = p->unit->source;
	vec_push(p->s->arena, &p->unit->probes, probe);
}

void declare_alias(struct parser *p, struct loc loc, point_list names, point_list points, bool epilogue_only,
		   struct node *first, struct node *second)
{
	vec_each(&names, i) {
		struct alias *alias = arena_new(p->s->arena, struct alias);
		struct point *name = names.data[i];

		memcpy(&alias->name, &name->components, sizeof(alias->name));
		alias->loc = name->loc;
		memcpy(&alias->points, &points, sizeof(points));
		alias->prologue = epilogue_only ? NULL : first;
		alias->epilogue = epilogue_only ? first : second;
		alias->source = p->unit->source;
		if (name->optional || name->sufficient || name->condition)
			parser_error(p, name->loc, "the name of an alias takes no '?', '!' or condition");
		vec_push(p->s->arena, &p->unit->aliases, alias);
	}
}

/* ---- points ---- */

struct alternatives alternatives_single(struct parser *p, struct component c)
{
	struct alternatives a = { 0 };
	component_list list = { 0 };

	vec_push(p->s->arena, &list, c);
	vec_push(p->s->arena, &a.lists, list);
	return a;
}

struct alternatives alternatives_join(struct parser *p, struct alternatives a, struct alternatives b)
{
	struct alternatives all = { 0 };

	if (a.lists.count * b.lists.count > ALTERNATIVES_MAX) {
		parser_error(p, b.lists.data[0].data[0].loc,
			     "the braces of this probe point stand for too many points");
		return a;
	}
	vec_each(&a.lists, i) {
		vec_each(&b.lists, k) {
			component_list list = { 0 };

			vec_each(&a.lists.data[i], n)
				vec_push(p->s->arena, &list, a.lists.data[i].data[n]);
			vec_each(&b.lists.data[k], n)
				vec_push(p->s->arena, &list, b.lists.data[k].data[n]);
			vec_push(p->s->arena, &all.lists, list);
		}
	}
	return all;
}

struct alternatives alternatives_either(struct parser *p, struct alternatives a, struct alternatives b)
{
	struct alternatives all = { 0 };

	vec_each(&a.lists, i)
		vec_push(p->s->arena, &all.lists, a.lists.data[i]);
	vec_each(&b.lists, i)
		vec_push(p->s->arena, &all.lists, b.lists.data[i]);
	return all;
}

point_list make_points(struct parser *p, struct loc loc, struct alternatives a, char suffix, struct node *condition)
{
	point_list points = { 0 };

	vec_each(&a.lists, i) {
		struct point *point = arena_new(p->s->arena, struct point);

		memcpy(&point->components, &a.lists.data[i], sizeof(point->components));
		point->loc = loc;
		point->optional = suffix == '?';
		point->sufficient = suffix == '!';
		point->condition = condition;
		vec_push(p->s->arena, &points, point);
	}
	return points;
}
