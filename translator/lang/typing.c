/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers that inference callbacks share: two types are combined; a conflict is reported,
 * with the place where the other type comes from.
 */
#include <stdarg.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lib/arena.h"
#include "lib/hashmap.h"

static bool is_news(struct infer *in, struct loc loc, const char *text)
{
	const char *key =
		arena_printf(in->s->arena, "%s: %s", source_loc_str(in->s->arena, loc), text);

	if (hashmap_get(in->reported, key))
		return false;
	hashmap_put(in->reported, key, in);
	return true;
}

bool typing_error(struct infer *in, struct loc loc, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	if (in->silent)
		return false;
	va_start(ap, fmt);
	text = arena_vprintf(in->s->arena, fmt, ap);
	va_end(ap);
	if (!is_news(in, loc, text))
		return false;
	diag_error(in->s, loc, "%s", text);
	return true;
}

static bool agree(enum type a, enum type b)
{
	return a == b || a == TYPE_UNKNOWN || b == TYPE_UNKNOWN || a == TYPE_ERROR ||
	       b == TYPE_ERROR;
}

static void report_mismatch(struct infer *in, struct loc loc, enum type wanted, enum type found,
			    struct loc other, const char *what, const char *hint)
{
	if (!typing_error(in, loc, "type mismatch: %s expected, found %s%s%s",
			  node_type_name(wanted), node_type_name(found), hint ? "; " : "",
			  hint ? hint : ""))
		return;
	if (other.source)
		diag_note(in->s, other, "the type of '%s' was first seen here", what);
}

/*
 * Returns the place of the variable or function that n gets its type from, for the note.
 */
static struct loc type_origin(struct infer *in, const struct node *n, const char **what)
{
	const struct node *name = n->kind == NODE_INDEX ? n->base : n;

	if (name->kind == NODE_NAME && name->symbol) {
		*what = name->name;
		return name->symbol->type_loc;
	}
	if (n->kind == NODE_CALL && n->function) {
		*what = arena_printf(in->s->arena, "%s()", n->name);
		return n->function->type_loc;
	}
	return (struct loc){ 0 };
}

void typing_type(struct infer *in, struct node *n, enum type type, enum type wanted)
{
	const char *what = in->because_what;
	struct loc other = n == in->because_for ? in->because : (struct loc){ 0 };

	if (n->type == TYPE_ERROR)
		return;
	if (type != TYPE_UNKNOWN && n->type != type) {
		n->type = type;
		in->changed = true;
	}
	if (agree(n->type, wanted))
		return;
	if (!other.source)
		other = type_origin(in, n, &what);
	if (n->type == TYPE_VOID)
		typing_error(in, n->loc, "'%s' returns no value", unparse_node(in->s->arena, n));
	else
		report_mismatch(in, n->loc, wanted, n->type, other, what,
				n == in->hint_for ? in->hint : NULL);
	n->type = TYPE_ERROR;
}

void typing_because(struct infer *in, struct node *n, enum type wanted, struct loc because,
		    const char *what)
{
	struct infer inner = *in;

	inner.because = because;
	inner.because_for = n;
	inner.because_what = what;
	lang_infer(&inner, n, wanted);
	in->changed |= inner.changed;
	in->settled |= inner.settled;
}

void typing_hinted(struct infer *in, struct node *n, enum type wanted, const char *hint)
{
	struct infer inner = *in;

	inner.hint = hint;
	inner.hint_for = n;
	lang_infer(&inner, n, wanted);
	in->changed |= inner.changed;
	in->settled |= inner.settled;
}

void typing_condition(struct infer *in, struct node *n)
{
	static const char text[] = "this assigns, and is always the same; '==' compares";

	typing_hinted(in, n, TYPE_LONG, "a string is not a condition; compare it, as with != \"\"");
	if (in->final && n->kind == NODE_ASSIGN && n->op == OP_NONE &&
	    n->rhs->kind == NODE_NUMBER && is_news(in, n->loc, text))
		diag_warning(in->s, n->loc, "%s", text);
}

void typing_symbol(struct infer *in, struct symbol *sym, enum type type, struct loc loc)
{
	if (type == TYPE_UNKNOWN || sym->type == TYPE_ERROR || type == sym->type)
		return;
	if (type == TYPE_ERROR) {
		/*
		 * The variable has no type: an error was reported, and nothing else gave
		 * it one.
		 */
		if (in->guess && sym->type == TYPE_UNKNOWN) {
			sym->type = TYPE_ERROR;
			in->changed = true;
		}
		return;
	}
	if (sym->type == TYPE_UNKNOWN && type != TYPE_VOID) {
		sym->type = type;
		sym->type_loc = loc;
		in->changed = true;
		return;
	}
	if (type != TYPE_VOID)
		report_mismatch(in, loc, sym->type, type, sym->type_loc, sym->name, NULL);
}

unsigned typing_globals(struct session *s, const char *const **ret)
{
	VEC(const char *) names = { 0 };

	vec_each(&s->program->units, u)
		vec_each(&s->program->units.data[u]->globals, i)
			vec_push(s->arena, &names,
				 s->program->units.data[u]->globals.data[i]->name);
	*ret = names.data;
	return names.count;
}

/*
 * Reports a local that is used with an index: either the declaration is missing, or the
 * local is already used as a scalar. Reports the first time only.
 */
static void report_no_array(struct infer *in, struct symbol *sym, struct loc loc)
{
	bool is_value = sym->type == TYPE_STRING || sym->type == TYPE_LONG;
	const char *const *globals, *near;
	unsigned count = typing_globals(in->s, &globals);

	if (in->silent)
		return;
	near = diag_near(in->s, sym->name, globals, count);
	if (is_value &&
	    typing_error(in, loc,
			 sym->type == TYPE_STRING
				 ? "'%s' is a string, not an array; substr() takes a part of it"
				 : "'%s' is a number, not an array",
			 sym->name))
		diag_note(in->s, sym->type_loc, "the type of '%s' was first seen here", sym->name);
	if (is_value)
		return;
	if (near)
		typing_error(in, loc, "the array '%s' is not declared; did you mean %s", sym->name,
			     near);
	else
		typing_error(in, loc,
			     "the array '%s' is not declared; write 'global %s' outside of probes "
			     "and functions",
			     sym->name, sym->name);
	sym->type = TYPE_ERROR;
}

void typing_wrong(struct infer *in, struct node *names)
{
	for (struct node *n = names; n; n = n->next)
		if (n->kind == NODE_NAME && n->symbol)
			typing_symbol(in, n->symbol, TYPE_ERROR, n->loc);
}

bool typing_arity(struct infer *in, struct symbol *sym, int arity, struct loc loc)
{
	bool reported;

	if (sym->arity == arity)
		return true;
	if (arity > ARRAY_KEYS_MAX && in->silent)
		return false;
	if (arity > ARRAY_KEYS_MAX) {
		typing_error(in, loc, "an array has at most %d keys, not %d", ARRAY_KEYS_MAX,
			     arity);
		typing_symbol(in, sym, TYPE_ERROR, loc);
		return false;
	}
	if (sym->kind == SYMBOL_GLOBAL && sym->arity < 0) {
		sym->arity = arity;
		sym->key_locs[0] = arity ? loc : sym->key_locs[0];
		if (!arity)
			sym->type_loc = sym->type_loc.source ? sym->type_loc : loc;
		in->changed = true;
		return true;
	}
	if (sym->kind != SYMBOL_GLOBAL && sym->type == TYPE_ERROR)
		return false;
	if (sym->kind != SYMBOL_GLOBAL) {
		report_no_array(in, sym, loc);
		return false;
	}
	if (arity == 0)
		reported = typing_error(in, loc,
					"'%s' is an array with %d key%s; use it with an index",
					sym->name, sym->arity, sym->arity == 1 ? "" : "s");
	else if (sym->arity == 0)
		reported = typing_error(in, loc, "'%s' is not an array", sym->name);
	else
		reported = typing_error(in, loc, "'%s' has %d key%s, not %d", sym->name, sym->arity,
					sym->arity == 1 ? "" : "s", arity);
	if (reported && sym->arity > 0 && sym->key_locs[0].source)
		diag_note(in->s, sym->key_locs[0], "'%s' was first seen with %d here", sym->name,
			  sym->arity);
	else if (reported && sym->loc.source)
		diag_note(in->s, sym->loc, "'%s' is a scalar since here", sym->name);
	return false;
}

/*
 * Notes the type of a key; the type of an erroneous one only if nothing else gives it a
 * type.
 */
static void note_key(struct infer *in, struct symbol *sym, unsigned i, const struct node *key)
{
	bool is_known = key->type == TYPE_LONG || key->type == TYPE_STRING;

	if (sym->key_types[i] != TYPE_UNKNOWN ||
	    (!is_known && !(in->guess && key->type == TYPE_ERROR)))
		return;
	sym->key_types[i] = key->type;
	sym->key_locs[i] = key->loc;
	in->changed = true;
}

void typing_keys(struct infer *in, struct symbol *sym, struct node *keys)
{
	unsigned i = 0;

	for (struct node *key = keys; key && i < ARRAY_KEYS_MAX; key = key->next, i++) {
		if (key->kind == NODE_STAR)
			continue;
		typing_because(in, key, sym->key_types[i], sym->key_locs[i], sym->name);
		note_key(in, sym, i, key);
	}
}

struct symbol *typing_array(struct infer *in, struct node *n)
{
	if (n->kind != NODE_NAME) {
		typing_error(in, n->loc, "an array is expected here");
		return NULL;
	}
	if (n->symbol && n->symbol->kind != SYMBOL_GLOBAL) {
		typing_arity(in, n->symbol, 1, n->loc);
		return NULL;
	}
	return n->symbol;
}

struct symbol *typing_aggregate(struct infer *in, struct node *n)
{
	struct symbol *sym = n->kind == NODE_NAME    ? n->symbol
			     : n->kind == NODE_INDEX ? typing_array(in, n->base)
						     : NULL;

	if (n->kind != NODE_NAME && n->kind != NODE_INDEX) {
		typing_error(in, n->loc,
			     "'%s' is not an aggregate; it has to be a global variable or an "
			     "array element",
			     unparse_node(in->s->arena, n));
		return NULL;
	}
	if (!sym)
		return NULL;
	if (sym->kind != SYMBOL_GLOBAL && in->silent)
		return NULL;
	if (sym->kind != SYMBOL_GLOBAL) {
		if (sym->type != TYPE_ERROR)
			typing_error(in, n->loc,
				     "'%s' cannot be an aggregate; aggregates have to be declared "
				     "global",
				     sym->name);
		sym->type = TYPE_ERROR;
		return NULL;
	}
	if (!typing_arity(in, sym, n->kind == NODE_INDEX ? (int)node_count(n->list) : 0, n->loc))
		return NULL;
	if (n->kind == NODE_INDEX)
		typing_keys(in, sym, n->list);
	if (sym->type != TYPE_UNKNOWN && sym->type != TYPE_STATS && sym->type != TYPE_ERROR) {
		report_mismatch(in, n->loc, TYPE_STATS, sym->type, sym->type_loc, sym->name, NULL);
		return NULL;
	}
	typing_symbol(in, sym, TYPE_STATS, n->loc);
	typing_type(in, n, TYPE_STATS, TYPE_UNKNOWN);
	return sym;
}
