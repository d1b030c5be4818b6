/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types: all bodies are visited again and again, until no variable, function or
 * expression learns anything new. Names that are still unknown then get a default where
 * their type cannot matter, and are reported where it can.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/constants.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/display.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "lib/hashmap.h"
#include "sem/advice.h"
#include "sem/sem.h"
#include "sem/tapset.h"

/* ---- -G NAME=VALUE ---- */

static struct symbol *find_global(struct session *s, const char *name)
{
	struct program *p = s->program;

	vec_each(&p->globals, i) {
		if (!strcmp(p->globals.data[i]->name, name))
			return p->globals.data[i];
	}
	return NULL;
}

static bool is_declared(struct session *s, const char *name)
{
	vec_each(&s->program->units, u) {
		const struct unit *unit = s->program->units.data[u];

		for (size_t i = 0; i < unit->globals.count; i++) {
			if (!strcmp(unit->globals.data[i]->name, name))
				return true;
		}
	}
	/* A variable that only the library has, such as argc, need not be used. */
	return hashmap_get(&s->program->global_names, name) || tapset_global(s, name, NULL);
}

static void unknown_global(struct session *s, const char *name)
{
	struct program *p = s->program;
	const char **names = arena_array(s->arena, const char *, p->globals.count + 1);
	const char *near;

	vec_each(&p->globals, i)
		names[i] = p->globals.data[i]->name;
	near = diag_near(s, name, names, p->globals.count);
	diag_error(s, (struct loc){ 0 }, "-G %s: there is no global variable of that name%s%s",
		   name, near ? "; did you mean " : "", near ? near : "");
}

/*
 * Returns the value as a number if it is one, unless the script uses the variable as a
 * string.
 */
static struct node *parse_value(struct session *s, const struct symbol *sym, const char *text)
{
	bool wants_string =
		sym->type == TYPE_STRING || (sym->init && sym->init->kind == NODE_STRING);
	struct node *n;
	char *end;
	uint64_t number;

	errno = 0;
	number = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	n = node_new(s->arena,
		     !wants_string && *text && !*end && !errno ? NODE_NUMBER : NODE_STRING,
		     sym->loc);
	if (n->kind == NODE_NUMBER) {
		n->number = (int64_t)number;
	} else {
		n->string = text;
		n->string_len = strlen(text);
	}
	return n;
}

static int find_array_use(struct node *n, void *ctx)
{
	const struct node *array = n->kind == NODE_INDEX     ? n->base
				   : n->kind == NODE_FOREACH ? n->array
				   : n->kind == NODE_IN	     ? n->rhs
							     : NULL;

	if (n->kind == NODE_ASSIGN && n->op == OP_STAT)
		array = n->lhs;
	return array && array->kind == NODE_NAME && array->symbol == ctx ? -1 : 0;
}

static bool is_scalar(struct session *s, struct symbol *sym)
{
	struct program *p = s->program;

	vec_each(&p->functions, i)
		if (ast_walk(p->functions.data[i]->body, find_array_use, NULL, sym) < 0)
			return false;
	vec_each(&p->handlers, i)
		if (ast_walk(p->handlers.data[i]->body, find_array_use, NULL, sym) < 0)
			return false;
	return !sym->max_entries && !sym->wrap;
}

/* Sets the global. Errors are reported for the option, not for the script. */
static void override_global(struct session *s, struct symbol *sym, const struct definition *d)
{
	bool wants_number = sym->type == TYPE_LONG || (sym->init && sym->init->kind == NODE_NUMBER);
	struct node *value = parse_value(s, sym, d->value ? d->value : "");

	if (!is_scalar(s, sym))
		diag_error(s, (struct loc){ 0 },
			   "-G %s: only a number or a string can be set; '%s' is an array or an "
			   "aggregate",
			   d->name, d->name);
	else if (wants_number && value->kind == NODE_STRING)
		diag_error(s, (struct loc){ 0 }, "-G %s=%s: '%s' is a number", d->name, d->value,
			   d->name);
	else
		sym->init = value;
}

static void override_globals(struct session *s)
{
	for (size_t i = 0; i < s->options->globals.count; i++) {
		const struct definition *d = &s->options->globals.data[i];
		struct symbol *sym = find_global(s, d->name);

		if (sym)
			override_global(s, sym, d);
		else if (!is_declared(s, d->name))
			unknown_global(s, d->name);
	}
}

/* ---- rounds ---- */

static void begin_globals(struct infer *in)
{
	struct program *p = in->s->program;

	vec_each(&p->globals, i) {
		struct symbol *sym = p->globals.data[i];

		if (!sym->init)
			continue;
		typing_arity(in, sym, 0, sym->init->loc.source ? sym->init->loc : sym->loc);
		typing_symbol(in, sym, sym->init->kind == NODE_STRING ? TYPE_STRING : TYPE_LONG,
			      sym->init->loc.source ? sym->init->loc : sym->loc);
	}
}

static void begin_functions(struct session *s)
{
	vec_each(&s->program->functions, i) {
		struct function *f = s->program->functions.data[i];

		if (f->type != TYPE_UNKNOWN && !f->type_loc.source)
			f->type_loc = f->loc;
	}
}

/* Makes functions void that return nothing and whose calls need no value. */
static void set_void(struct infer *in)
{
	vec_each(&in->s->program->functions, i) {
		struct function *f = in->s->program->functions.data[i];

		if (!overload_gives_value(f))
			f->type = TYPE_VOID;
	}
}

static void visit_handler(struct infer *in, struct handler *h)
{
	in->function = NULL;
	in->handler = h;
	lang_infer(in, h->body, TYPE_UNKNOWN);
	vec_each(&h->saved, i)
		lang_infer(in, h->saved.data[i], TYPE_UNKNOWN);
}

static void visit_functions(struct infer *in)
{
	struct program *p = in->s->program;

	for (size_t i = 0; i < p->functions.count; i++) {
		in->function = p->functions.data[in->backwards ? p->functions.count - 1 - i : i];
		if (in->function->body)
			lang_infer(in, in->function->body, TYPE_UNKNOWN);
	}
	in->function = NULL;
}

static void visit_all(struct infer *in)
{
	struct program *p = in->s->program;

	vec_each(&p->handlers, i)
		visit_handler(in, p->handlers.data[i]);
	in->handler = NULL;
	visit_functions(in);
	vec_each(&p->probes, i) {
		if (p->probes.data[i]->condition)
			lang_infer(in, p->probes.data[i]->condition, TYPE_LONG);
	}
}

/* Drops branches that cannot run because a @defined has been decided. */
static void drop_choices(struct infer *in)
{
	struct program *p = in->s->program;

	if (!in->settled)
		return;
	in->settled = false;
	vec_each(&p->handlers, i)
		constants_fold(in->s, p->handlers.data[i]->body);
	vec_each(&p->functions, i)
		constants_fold(in->s, p->functions.data[i]->body);
}

/*
 * Visits in rounds, in both directions, so that few are needed: types of parameters
 * follow the calls, types of results go against them.
 */
static void visit_until_stable(struct infer *in)
{
	do {
		in->changed = false;
		visit_all(in);
		drop_choices(in);
		in->backwards = !in->backwards;
	} while (in->changed);
	in->backwards = false;
}

/* ---- unknown types ---- */

/* Sets the number of keys: a name that is never used with an index is not an array. */
static void set_arities(struct infer *in)
{
	vec_each(&in->s->program->globals, i) {
		struct symbol *sym = in->s->program->globals.data[i];

		if (sym->arity < 0)
			sym->arity = 0;
		if (!sym->arity && (sym->max_entries || sym->wrap))
			typing_error(in, sym->loc,
				     "'%s' is used as a scalar; only arrays have a size%s",
				     sym->name, sym->wrap ? " and wrap" : "");
	}
}

static void report_symbol(struct infer *in, struct symbol *sym)
{
	if (sym->type != TYPE_UNKNOWN || (!sym->read && !sym->written))
		return;
	typing_error(in, sym->loc, "unresolved type of '%s'; it could be a number or a string",
		     sym->name);
	sym->type = TYPE_ERROR;
}

/* Reports a function, but not those that would have got their types from it. */
static void report_function(struct infer *in, struct function *f)
{
	if (f->type != TYPE_UNKNOWN)
		return;
	typing_error(in, f->loc, "unresolved type of '%s()'; it could return a number or a string",
		     f->name);
	f->type = TYPE_ERROR;
	visit_until_stable(in);
}

/*
 * Reports an array without any known types by one message, about its values. Types of
 * loop variables over it are unknown for the same reason, and are not reported again.
 */
static void report_keys(struct infer *in, struct symbol *sym)
{
	bool is_known = true;

	for (int i = 0; i < sym->arity; i++) {
		if (sym->key_types[i] != TYPE_UNKNOWN)
			continue;
		if (is_known && sym->type != TYPE_UNKNOWN)
			typing_error(in, sym->loc,
				     "unresolved type of key %d of '%s'; it could "
				     "be a number or a string",
				     i + 1, sym->name);
		sym->key_types[i] = TYPE_ERROR;
		is_known = false;
	}
}

/*
 * True: the place is seen for the first time. One place of the script may be in many
 * handlers; missing things are reported for the first one.
 */
static bool is_first_there(struct infer *in, struct loc loc)
{
	const char *place = source_loc_str(in->s->arena, loc);

	if (hashmap_get(in->unassigned, place))
		return false;
	hashmap_put(in->unassigned, place, in);
	return true;
}

/* True: an alias of another point of the same probe sets the variable. */
static bool is_set_elsewhere(struct infer *in, const char *name, const struct handler *of)
{
	const struct program *p = in->s->program;

	vec_each(&p->handlers, i) {
		const struct handler *h = p->handlers.data[i];

		if (h->loc.source != of->loc.source || h->loc.begin != of->loc.begin)
			continue;
		vec_each(&h->offered, k)
			if (!strcmp(h->offered.data[k], name))
				return true;
	}
	return false;
}

/*
 * Reports names that are used but never set and whose type is unknown: these are errors,
 * for example names from another language. Names with a type get a warning.
 */
static void report_unassigned(struct infer *in, struct symbol *const *symbols, unsigned count,
			      const struct handler *h)
{
	for (unsigned i = 0; i < count; i++) {
		struct symbol *sym = symbols[i];

		if (sym->arity <= 0 && sym->read && !sym->written && !sym->init &&
		    sym->type == TYPE_UNKNOWN) {
			if (is_first_there(in, sym->loc))
				typing_error(in, sym->loc, "%s",
					     advice_name(in->s, sym->name, symbols, count, h));
			sym->type = TYPE_ERROR;
		}
	}
}

/* Arrays of the library that no function in use fills stay empty: any type will do. */
static void settle_unfilled(struct infer *in)
{
	struct program *p = in->s->program;

	vec_each(&p->globals, i) {
		struct symbol *sym = p->globals.data[i];

		if (sym->type == TYPE_UNKNOWN && source_is_library(sym->loc))
			sym->type = TYPE_LONG;
	}
}

/*
 * For a point that is unknown: variables that its aliases might set are marked as
 * erroneous.
 */
static void settle_pointless(struct infer *in)
{
	struct program *p = in->s->program;

	vec_each(&p->handlers, i) {
		struct handler *h = p->handlers.data[i];

		for (size_t k = 0; k < h->locals.count && h->lacks_point; k++)
			if (h->locals.data[k]->type == TYPE_UNKNOWN)
				h->locals.data[k]->type = TYPE_ERROR;
	}
}

static void report_unknown(struct infer *in)
{
	struct program *p = in->s->program;

	settle_unfilled(in);
	settle_pointless(in);
	report_unassigned(in, p->globals.data, p->globals.count, NULL);
	vec_each(&p->functions, i)
		if (p->functions.data[i]->used)
			report_unassigned(in, p->functions.data[i]->locals.data,
					  p->functions.data[i]->locals.count, NULL);
	/* Aliases of an unknown point may set the variables. */
	vec_each(&p->handlers, i)
		if (!p->handlers.data[i]->lacks_point)
			report_unassigned(in, p->handlers.data[i]->locals.data,
					  p->handlers.data[i]->locals.count, p->handlers.data[i]);
	visit_until_stable(in);
	vec_each(&p->globals, i)
		report_keys(in, p->globals.data[i]);
	visit_until_stable(in);
	vec_each(&p->globals, i)
		report_symbol(in, p->globals.data[i]);
	visit_until_stable(in);
	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		if (!f->used) /* no longer used: its callers did nothing */
			continue;
		report_function(in, f);
		vec_each(&f->params, k)
			report_symbol(in, f->params.data[k]);
		vec_each(&f->locals, k)
			report_symbol(in, f->locals.data[k]);
	}
	vec_each(&p->handlers, i)
		for (size_t k = 0;
		     k < p->handlers.data[i]->locals.count && !p->handlers.data[i]->lacks_point;
		     k++)
			report_symbol(in, p->handlers.data[i]->locals.data[k]);
}

/* ---- variables that nobody ever sets ---- */

static void warn_symbol(struct infer *in, const struct symbol *sym, const struct handler *h)
{
	bool is_meant = sym->kind == SYMBOL_GLOBAL || sym->left_out ||
			(h && is_set_elsewhere(in, sym->name, h));

	if (sym->read && !sym->written && !sym->init && is_first_there(in, sym->loc))
		diag_warning(in->s, sym->loc, "%s",
			     advice_unassigned(in->s, sym->name, h, is_meant));
}

static void warn_unassigned(struct infer *in)
{
	struct program *p = in->s->program;

	vec_each(&p->globals, i)
		warn_symbol(in, p->globals.data[i], NULL);
	vec_each(&p->functions, i)
		vec_each(&p->functions.data[i]->locals, k)
			warn_symbol(in, p->functions.data[i]->locals.data[k], NULL);
	vec_each(&p->handlers, i)
		vec_each(&p->handlers.data[i]->locals, k)
			warn_symbol(in, p->handlers.data[i]->locals.data[k], p->handlers.data[i]);
}

void sem_infer(struct session *s)
{
	struct hashmap unassigned;
	struct infer in = { .s = s, .reported = &s->program->reported, .unassigned = &unassigned };
	struct handler *display;

	hashmap_init(&unassigned, s->arena);
	override_globals(s);
	begin_globals(&in);
	begin_functions(s);
	visit_until_stable(&in);
	if (deadtypes_learn(&in))
		visit_until_stable(&in);
	set_void(&in);
	in.guess = true;
	set_arities(&in);
	visit_until_stable(&in);
	in.final = true;
	visit_all(&in);
	uses_mark(s);
	report_unknown(&in);
	display = s->errors ? NULL : display_add(s);
	if (display) {
		visit_handler(&in, display);
		visit_handler(&in, display);
	}
	if (!s->errors)
		warn_unassigned(&in);
}
