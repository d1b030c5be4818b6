/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves names to symbols and functions. A name is a parameter, a global that its file
 * may see, or a local made by its first mention. User text sees the user's globals and
 * the library's; library text sees the library's only, so that a script's global never
 * becomes part of an alias.
 */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "probe/probe.h"
#include "sem/advice.h"
#include "sem/perprobe.h"
#include "sem/sem.h"
#include "sem/tapset.h"

typedef VEC(struct symbol *) symbol_vec;

struct scope {
	struct session *s;
	struct hashmap names; /* params and locals */
	symbol_vec *locals;
	/* handler whose target variables functions called from here get; NULL: none */
	struct handler *handler;
	bool is_entry;	    /* @entry: evaluated before the handler */
	struct hashmap own; /* sem_own_names() */
};

static struct symbol *new_local(struct scope *sc, const struct node *n)
{
	struct symbol *sym = arena_new(sc->s->arena, struct symbol);

	sym->kind = SYMBOL_LOCAL;
	sym->name = sym->c_name = n->name;
	sym->loc = sym->type_loc = n->loc;
	sym->source = n->loc.source;
	vec_push(sc->s->arena, sc->locals, sym);
	hashmap_put(&sc->names, sym->name, sym);
	return sym;
}

static struct symbol *unit_global(const struct unit *u, const char *name, const struct source *from)
{
	for (size_t i = 0; i < u->globals.count; i++) {
		struct symbol *sym = u->globals.data[i];

		if (!strcmp(sym->name, name) && (!sym->is_private || sym->source == from))
			return sym;
	}
	return NULL;
}

static struct symbol *script_global(struct session *s, const char *name, const struct source *from)
{
	struct symbol *sym = NULL;

	for (size_t i = 0; !(from && from->is_tapset) && !sym && i < s->program->units.count; i++)
		sym = unit_global(s->program->units.data[i], name, from);
	return sym;
}

static struct symbol *find_global(struct session *s, const char *name, const struct source *from)
{
	struct symbol *sym = script_global(s, name, from);

	if (!sym)
		sym = tapset_global(s, name, from);
	if (sym && sym->is_private && sym->source != from)
		return NULL;
	return sym;
}

/* Makes a global part of the program at its first use. */
static void use_global(struct session *s, struct symbol *sym)
{
	struct program *p = s->program;

	if (sym->index < p->globals.count && p->globals.data[sym->index] == sym)
		return;
	sym->index = (unsigned)p->globals.count;
	vec_push(s->arena, &p->globals, sym);
	hashmap_put(&p->global_names, sym->name, sym);
}

/*
 * Returns the name that n changes, or uses in a way that is impossible for a local
 * variable.
 */
static const struct node *changed_name(const struct node *n)
{
	const struct node *name = NULL;

	if (n->kind == NODE_INDEX)
		name = n->base;
	else if (n->kind == NODE_IN)
		name = n->rhs;
	else if (n->kind == NODE_FOREACH)
		name = n->array;
	else if (n->kind == NODE_STATOP || n->kind == NODE_HISTOP || n->kind == NODE_INCDEC)
		name = n->operand;
	else if (n->kind == NODE_ASSIGN)
		name = n->lhs;
	return name && name->kind == NODE_NAME ? name : NULL;
}

struct own_names {
	struct session *s;
	struct hashmap *names;
};

static int note_own(struct node *n, void *ctx)
{
	const struct own_names *own = ctx;
	const struct node *name = changed_name(n);
	struct symbol *sym = name ? script_global(own->s, name->name, name->loc.source) : NULL;

	if (sym)
		hashmap_put(own->names, name->name, sym);
	return 0;
}

void sem_own_names(struct session *s, struct node *body, struct hashmap *ret)
{
	struct own_names own = { s, ret };

	hashmap_init(ret, s->arena);
	ast_walk(body, note_own, NULL, &own);
}

/*
 * Returns the symbol of a name in the script's text, which may differ from the symbol
 * that the library's text around it means.
 */
static struct symbol *own_symbol(struct scope *sc, const struct node *n)
{
	return source_is_library(n->loc) ? NULL : hashmap_get(&sc->own, n->name);
}

static void bind_name(struct scope *sc, struct node *n)
{
	struct symbol *sym = hashmap_get(&sc->names, n->name);

	if (sym && sym->kind == SYMBOL_LOCAL && own_symbol(sc, n))
		sym = NULL;
	if (!sym) {
		sym = find_global(sc->s, n->name, n->loc.source);
		if (sym)
			use_global(sc->s, sym);
	}
	n->symbol = sym ? sym : new_local(sc, n);
}

/* ---- calls ---- */

static void use_function(struct session *s, struct function *f, struct loc call)
{
	if (f->used)
		return;
	f->used = true;
	if (f->body && f->source->is_tapset)
		sem_lead_to_call(s, f, call);
	vec_push(s->arena, &s->program->functions, f);
}

/* Reports an unknown function once, at its first call. */
static void unknown_function(struct session *s, const struct node *n)
{
	if (hashmap_get(&s->program->unknown_functions, n->name))
		return;
	hashmap_put(&s->program->unknown_functions, n->name, s->program);
	diag_error(s, n->op_loc, "there is no function '%s'%s", n->name,
		   advice_function(s, n->name));
}

static void wrong_arity(struct session *s, const struct node *n, const struct function *first)
{
	unsigned given = node_count(n->list);

	if (!first->overload)
		diag_error(s, n->loc, "'%s()' takes %zu argument%s, not %u", n->name,
			   first->params.count, first->params.count == 1 ? "" : "s", given);
	else
		diag_error(s, n->loc, "no '%s()' takes %u arguments", n->name, given);
	diag_note(s, first->loc, "'%s()' is declared here", n->name);
}

static bool any_visible(const struct function *first, const struct source *from)
{
	for (; first; first = first->overload)
		if (overload_is_visible(first, from))
			return true;
	return false;
}

/*
 * Makes one of the functions that the call may reach part of the program. `needs`: the
 * call involves target variables.
 */
static struct function *choose(struct scope *sc, struct function *f, const struct node *n,
			       bool needs)
{
	if (needs)
		f = perprobe_function(sc->s, f, sc->handler, n->op_loc);
	use_function(sc->s, f, n->op_loc);
	return f;
}

/* Chooses the functions with that many arguments; clones are in a separate list. */
static bool choose_all(struct scope *sc, struct node *n, bool needs)
{
	struct function *last = NULL;
	unsigned arity = node_count(n->list);

	for (struct function *f = n->function, *next; f; f = next) {
		next = f->overload;
		if (f->params.count != arity || !overload_is_visible(f, n->loc.source))
			continue;

		struct function *chosen = choose(sc, f, n, needs);

		if (needs && last)
			last->overload = chosen;
		else if (needs)
			n->function = chosen;
		last = chosen;
	}
	return last != NULL;
}

/*
 * Saves the value of int_arg(1) and similar functions when the function is entered: at
 * its return the argument registers have been reused.
 */
static void save_argument(struct scope *sc, struct node *n)
{
	struct node *next = n->next, *value;

	if (!(n->function->pragmas & PRAGMA_ARGUMENT) || n->list->kind != NODE_NUMBER ||
	    !sc->handler || !sc->handler->point || !probe_is_return(sc->handler->point))
		return;
	if (sc->handler->point->no_entry) {
		diag_error(sc->s, n->loc, "'%s()' at a return: %s", n->name,
			   sc->handler->point->no_entry);
		return;
	}
	n->next = NULL;
	value = ast_clone(sc->s->arena, n);
	*n = *node_new(sc->s->arena, NODE_ENTRY, value->loc);
	n->next = next;
	n->entry_of = sc->handler;
	n->slot = (unsigned)sc->handler->saved.count;
	vec_push(sc->s->arena, &sc->handler->saved, value);
}

static void bind_call(struct scope *sc, struct node *n)
{
	struct session *s = sc->s;
	struct function *first = sem_find_functions(s, n->name, n->loc.source);
	bool needs = perprobe_matters(
		s, &(struct node){ .kind = NODE_CALL, .name = n->name, .loc = n->loc });

	if (!first || !any_visible(first, n->loc.source)) {
		unknown_function(s, n);
		n->type = TYPE_ERROR;
		return;
	}
	if (needs && sc->is_entry) {
		diag_error(s, n->loc,
			   "'%s()' uses target variables, which @entry cannot give it; call it "
			   "outside",
			   n->name);
		n->type = TYPE_ERROR;
		return;
	}
	n->function = first;
	/* Its point is wrong, which was reported. */
	if (needs && !(sc->handler && sc->handler->point)) {
		n->type = TYPE_ERROR;
		return;
	}
	if (!choose_all(sc, n, needs)) {
		wrong_arity(s, n, first);
		n->function = NULL;
		n->type = TYPE_ERROR;
		return;
	}
	save_argument(sc, n);
}

/* Reports a name in `delete` that is not known yet. */
static void check_deleted(struct scope *sc, const struct node *n)
{
	const struct symbol *sym;

	if (n->kind != NODE_NAME)
		return;
	sym = hashmap_get(&sc->names, n->name);
	if (sym && sym->kind == SYMBOL_PARAM)
		diag_error(sc->s, n->loc, "a parameter cannot be deleted");
	if (sym || find_global(sc->s, n->name, n->loc.source))
		return;
	diag_error(sc->s, n->loc,
		   "there is no '%s' that could be deleted; arrays have to be declared global",
		   n->name);
	new_local(sc, n)->type = TYPE_ERROR;
}

/*
 * Uses globals named by "pragma:read:NAME": C that uses globals names each in a separate
 * comment.
 */
static void use_pragma_globals(struct session *s, const char *code, struct loc loc,
			       const char *pragma, symbol_vec *ret)
{
	size_t len = strlen(pragma);

	for (const char *at = code; (at = strstr(at, pragma)); at += len) {
		const char *name = arena_strndup(s->arena, at + len, strcspn(at + len, " \t\n*"));
		struct symbol *sym = find_global(s, name, loc.source);

		if (!sym) {
			diag_error(s, loc, "%s%s: there is no such global variable", pragma, name);
			continue;
		}
		use_global(s, sym);
		vec_push(s->arena, ret, sym);
	}
}

static void use_all_pragma_globals(struct session *s, const char *code, struct loc loc,
				   symbol_vec *ret)
{
	use_pragma_globals(s, code, loc, "pragma:read:", ret);
	use_pragma_globals(s, code, loc, "pragma:write:", ret);
}

/* Binds the globals of %{ C %} as a statement or an expression. */
static void bind_embed(struct session *s, struct node *n)
{
	symbol_vec used = { 0 };

	use_all_pragma_globals(s, n->string, n->loc, &used);
	vec_push(s->arena, &used, NULL);
	n->globals = used.data;
}

static int bind_node(struct node *n, void *ctx)
{
	if (n->kind == NODE_DELETE)
		check_deleted(ctx, n->operand);
	if (n->kind == NODE_NAME)
		bind_name(ctx, n);
	else if (n->kind == NODE_CALL)
		bind_call(ctx, n);
	else if (n->kind == NODE_EMBED)
		bind_embed(((struct scope *)ctx)->s, n);
	return 0;
}

void sem_resolve_handler(struct session *s, struct handler *h)
{
	struct scope body = { .s = s, .locals = (symbol_vec *)&h->locals, .handler = h };

	hashmap_init(&body.names, s->arena);
	sem_own_names(s, h->body, &body.own);
	ast_walk(h->body, bind_node, NULL, &body);
}

void sem_resolve_saved(struct session *s, struct handler *h)
{
	struct scope entry = { .s = s, .locals = (symbol_vec *)&h->entry_locals, .is_entry = true };

	hashmap_init(&entry.names, s->arena);
	hashmap_init(&entry.own, s->arena);
	vec_each(&h->saved, i)
		ast_walk(h->saved.data[i], bind_node, NULL, &entry);
}

void sem_resolve_function(struct session *s, struct function *f)
{
	struct scope sc = { .s = s, .locals = (symbol_vec *)&f->locals, .handler = f->clone_of };
	symbol_vec used = { 0 };

	if (!f->body) {
		use_all_pragma_globals(s, f->code, f->code_loc, &used);
		return;
	}
	hashmap_init(&sc.names, s->arena);
	hashmap_init(&sc.own, s->arena);
	vec_each(&f->params, i)
		hashmap_put(&sc.names, f->params.data[i]->name, f->params.data[i]);
	if (!f->clone_of) /* bound for its point */
		bind_casts(s, f->body);
	ast_walk(f->body, bind_node, NULL, &sc);
}

/*
 * Refuses effects in a condition: when, and how often, a condition is evaluated is
 * undefined.
 */
static int refuse_effect(struct node *n, void *ctx)
{
	if (n->kind == NODE_ASSIGN || n->kind == NODE_INCDEC)
		diag_error(ctx, n->loc, "a condition of a probe cannot change anything");
	if (n->kind == NODE_CALL)
		diag_error(ctx, n->loc,
			   "a condition of a probe calls no functions; it looks at globals only");
	return n->kind == NODE_CALL;
}

void sem_resolve_condition(struct session *s, struct node *condition)
{
	symbol_vec locals = { 0 };
	struct scope sc = { .s = s, .locals = &locals };

	hashmap_init(&sc.names, s->arena);
	hashmap_init(&sc.own, s->arena);
	ast_walk(condition, refuse_effect, NULL, s);
	ast_walk(condition, bind_node, NULL, &sc);
	vec_each(&locals, i)
		diag_error(s, locals.data[i]->loc,
			   "'%s' is not a global variable; conditions of probes look at globals "
			   "only",
			   locals.data[i]->name);
}
