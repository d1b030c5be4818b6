/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes declarations from the grammar's input: globals, functions, probes, aliases. */
#include <ctype.h>
#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/lexical.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parser.h"

struct symbol *declare_symbol(struct parser *p, enum symbol_kind kind, const struct token *name,
			      enum type type)
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

struct symbol *declare_global(struct parser *p, const struct token *name, enum type type, bool wrap)
{
	struct symbol *sym = declare_symbol(p, SYMBOL_GLOBAL, name, type);

	sym->wrap = wrap;
	return sym;
}

void declare_check_size(struct parser *p, struct loc loc, int64_t entries)
{
	if (entries < 1)
		parser_error(p, loc, "an array has room for at least 1 entry");
	else if (entries > INT32_MAX)
		parser_error(p, loc, "an array has room for at most 2147483647 entries");
}

int64_t declare_negative_number(struct parser *p, struct loc loc, const struct token *t)
{
	if ((uint64_t)t->number > (uint64_t)INT64_MAX + 1)
		parser_error(p, loc, "the smallest number is -9223372036854775808");
	return (int64_t) - (uint64_t)t->number;
}

struct node *declare_literal(struct parser *p, struct loc loc, const struct token *t)
{
	return t->kind == TOKEN_STRING ? make_string(p, t) : make_number(p, loc, t->number);
}

static const struct symbol *global_named(const struct unit *u, const char *name)
{
	vec_each(&u->globals, i)
		if (!strcmp(u->globals.data[i]->name, name))
			return u->globals.data[i];
	return NULL;
}

void declare_globals(struct parser *p, symbol_list globals, bool is_private)
{
	vec_each(&globals, i) {
		struct symbol *sym = globals.data[i];
		const struct symbol *before = global_named(p->unit, sym->name);

		sym->is_private = is_private;
		if (before) {
			diag_error(p->s, sym->loc, "two global variables are called '%s'",
				   sym->name);
			diag_note(p->s, before->loc, "here");
			continue;
		}
		if (sym->init) {
			sym->arity = 0;
			sym->type = sym->type ? sym->type : sym->init->type;
			if (sym->wrap)
				parser_error(p, sym->loc, "an array cannot have an initial value");
			else if (sym->type != sym->init->type)
				parser_error(p, sym->init->loc,
					     "the initial value does not fit the declared type");
		}
		vec_push(p->s->arena, &p->unit->globals, sym);
	}
}

/*
 * Returns the pragmas of the C text: every comment that consists of a pragma's name
 * counts.
 */
static unsigned pragmas_of(const char *code, size_t len)
{
	static const char *const texts[PRAGMA_BIT_COUNT] = {
#define P(kind, text) [PRAGMA_BIT_##kind] = text,
		PRAGMAS(P)
#undef P
	};
	const char *end = code + len, *text;
	unsigned found = 0;

	while ((code = lexical_c_comment(code, end, &text, &len)) != NULL) {
		while (len && isspace((unsigned char)*text)) {
			text++;
			len--;
		}
		while (len && isspace((unsigned char)text[len - 1]))
			len--;
		for (unsigned i = 0; i < PRAGMA_BIT_COUNT; i++)
			if (strlen(texts[i]) == len && !memcmp(texts[i], text, len))
				found |= 1u << i;
	}
	return found;
}

struct function *declare_add_function(struct parser *p, const struct token *name, enum type type,
				      symbol_list params, int64_t priority, bool is_private)
{
	struct function *f = arena_new(p->s->arena, struct function);

	f->name = f->c_name = name->text;
	f->loc = f->type_loc = name->loc;
	f->type = type;
	f->priority = priority;
	f->is_private = is_private;
	f->source = p->unit->source;
	vec_each(&params, i) {
		for (size_t k = 0; k < i; k++)
			if (!strcmp(params.data[i]->name, params.data[k]->name))
				parser_error(p, params.data[i]->loc, "two parameters of this name");
		vec_push(p->s->arena, &f->params, params.data[i]);
	}
	return f;
}

void declare_function(struct parser *p, struct function *f, struct node *body,
		      const struct token *code)
{
	f->body = body;
	if (code) {
		f->code = code->text;
		f->code_len = code->len;
		f->code_loc = code->loc;
		f->pragmas = pragmas_of(code->text, code->len);
	}
	vec_push(p->s->arena, &p->unit->functions, f);
	atword_check_hists(p);
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
	atword_check_hists(p);
}

struct alias_names declare_alias_name(struct parser *p, struct alias_names names, point_list name)
{
	const struct point *point = name.data[0];

	if (name.count > 1)
		parser_error(p, point->loc, "the name of an alias holds no alternatives in braces");
	else if (point->optional || point->sufficient)
		parser_error(p, point->loc, "the name of an alias takes no '?' or '!'");
	vec_push(p->s->arena, &names.names, name.data[0]);
	return names;
}

/*
 * Adds the points of an alias; a condition after its name applies to each of them.
 */
static void alias_points(struct parser *p, const struct node *condition, const point_list *points,
			 struct alias *alias)
{
	struct arena *a = p->s->arena;

	for (size_t i = 0; i < points->count; i++) {
		struct point *copy = arena_new(a, struct point);
		struct node *both;

		*copy = *points->data[i];
		if (condition && copy->condition) {
			both = node_new(a, NODE_LOGICAL, condition->loc);
			both->op = OP_LAND;
			both->lhs = ast_clone(a, condition);
			both->rhs = copy->condition;
			copy->condition = both;
		} else if (condition) {
			copy->condition = ast_clone(a, condition);
		}
		vec_push(a, &alias->points, copy);
	}
}

void declare_alias(struct parser *p, struct loc loc, struct alias_names names, point_list points,
		   struct node *first, struct node *second)
{
	if (second && names.epilogue)
		parser_error(p, second->loc,
			     "'+=' takes one body, which runs after the probe's; '=' takes two");
	vec_each(&names.names, i) {
		struct alias *alias = arena_new(p->s->arena, struct alias);
		struct point *name = names.names.data[i];

		memcpy(&alias->name, &name->components, sizeof(alias->name));
		alias->loc = name->loc;
		alias_points(p, name->condition, &points, alias);
		alias->prologue = names.epilogue ? NULL : first;
		alias->epilogue = names.epilogue ? first : second;
		alias->source = p->unit->source;
		vec_push(p->s->arena, &p->unit->aliases, alias);
	}
	atword_check_hists(p);
}

/* ---- points ---- */

struct alternatives declare_alternatives_single(struct parser *p, struct component c)
{
	struct alternatives a = { 0 };
	struct alternative one = { 0 };

	vec_push(p->s->arena, &one.components, c);
	vec_push(p->s->arena, &a.list, one);
	return a;
}

static struct alternative join_two(struct parser *p, const struct alternative *a,
				   const struct alternative *b)
{
	struct alternative both = { .suffix = b->suffix, .condition = b->condition };

	vec_each(&a->components, i)
		vec_push(p->s->arena, &both.components, a->components.data[i]);
	vec_each(&b->components, i)
		vec_push(p->s->arena, &both.components, b->components.data[i]);
	return both;
}

struct alternatives declare_alternatives_join(struct parser *p, struct alternatives a,
					      struct alternatives b)
{
	struct alternatives all = { 0 };
	struct loc loc = b.list.data[0].components.data[0].loc;

	if (a.list.count * b.list.count > ALTERNATIVES_MAX) {
		parser_error(p, loc, "the braces of this probe point mean too many points");
		return a;
	}
	vec_each(&a.list, i) {
		if (a.list.data[i].suffix || a.list.data[i].condition)
			parser_error(p, loc,
				     "'?', '!' and a condition come after a whole probe "
				     "point, but this one goes on");
		vec_each(&b.list, k)
			vec_push(p->s->arena, &all.list,
				 join_two(p, &a.list.data[i], &b.list.data[k]));
	}
	return all;
}

struct alternatives declare_alternatives_either(struct parser *p, struct alternatives a,
						struct alternatives b)
{
	struct alternatives all = { 0 };

	vec_each(&a.list, i)
		vec_push(p->s->arena, &all.list, a.list.data[i]);
	vec_each(&b.list, i)
		vec_push(p->s->arena, &all.list, b.list.data[i]);
	return all;
}

struct alternatives declare_alternatives_suffix(struct parser *p, struct alternatives a,
						char suffix, struct loc suffix_loc,
						struct node *condition)
{
	vec_each(&a.list, i) {
		struct alternative *one = &a.list.data[i];

		if ((suffix && one->suffix) || (condition && one->condition)) {
			parser_error(p, suffix ? suffix_loc : condition->loc,
				     "this is already in the braces");
			break;
		}
		one->suffix = suffix ? suffix : one->suffix;
		one->condition = condition ? condition : one->condition;
	}
	return a;
}

point_list declare_points(struct parser *p, struct loc loc, struct alternatives a)
{
	point_list points = { 0 };

	vec_each(&a.list, i) {
		const struct alternative *one = &a.list.data[i];
		struct point *point = arena_new(p->s->arena, struct point);

		memcpy(&point->components, &one->components, sizeof(point->components));
		point->loc = loc;
		point->optional = one->suffix == '?';
		point->sufficient = one->suffix == '!';
		point->condition = one->condition;
		vec_push(p->s->arena, &points, point);
	}
	return points;
}
