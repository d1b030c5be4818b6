/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function may use target variables of the probe that calls it, directly or through
 * other functions. It is cloned for each point from which it is called; the clone's
 * target variables are then bound like those of the handler's own body, and values that
 * return probes must save at entry are saved with the handler's values.
 */
#include "sem/perprobe.h"

#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "probe/probe.h"
#include "sem/sem.h"
#include "target/cast.h"

/*
 * Functions reached so far. When a search finds nothing, none of them needs another one.
 */
struct search {
	struct session *s;
	unsigned depth; /* of functions */
	VEC(struct function *) asked;
};

/* True: the type does not belong to the kernel, so it belongs to the probed program. */
static bool is_cast_to_foreign(struct session *s, const struct node *n)
{
	struct cast_type type = { 0 };

	return n->kind == NODE_TARGET && n->target == TARGET_CAST && !n->module &&
	       !source_is_library(n->loc) && cast_find_type(s, n->cast_type, NULL, &type);
}

static int find_context(struct node *n, void *ctx);

/* Finds out whether a function needs the context of the probe. */
static void ask(struct search *search, struct function *f)
{
	f->context = CONTEXT_NONE;
	vec_push(search->s->arena, &search->asked, f);
	search->depth++;
	if (ast_walk(f->body, find_context, NULL, search) < 0)
		f->context = CONTEXT_NEEDED;
	search->depth--;
}

static int find_context(struct node *n, void *ctx)
{
	struct search *search = ctx;

	if (is_cast_to_foreign(search->s, n))
		return -1;
	if ((n->kind == NODE_TARGET && (n->target == TARGET_VAR || n->target == TARGET_ATVAR)) ||
	    n->kind == NODE_ENTRY)
		return -1;
	if (n->kind == NODE_ATOP && !strcmp(n->atop, "perf"))
		return -1;
	if (n->kind != NODE_CALL)
		return 0;
	for (struct function *f = sem_find_functions(search->s, n->name, n->loc.source); f;
	     f = f->overload) {
		/* At a return, int_arg(1) in a function has the value of the entry. */
		if (f->pragmas & PRAGMA_ARGUMENT && search->depth)
			return -1;
		if (f->context == CONTEXT_UNKNOWN)
			ask(search, f);
		if (f->context == CONTEXT_NEEDED)
			return -1;
	}
	return 0;
}

bool perprobe_matters(struct session *s, const struct node *body)
{
	struct search search = { .s = s };
	bool found = ast_walk((struct node *)body, find_context, NULL, &search) < 0;

	/* A function in a cycle of calls may have been decided too early. */
	vec_each(&search.asked, i)
		if (found && search.asked.data[i]->context == CONTEXT_NONE)
			search.asked.data[i]->context = CONTEXT_UNKNOWN;
	return found;
}

/* ---- clones ---- */

static struct symbol *clone_symbol(struct session *s, const struct symbol *sym)
{
	struct symbol *copy = arena_new(s->arena, struct symbol);

	*copy = *sym;
	return copy;
}

static struct function *clone_function(struct session *s, struct function *f, struct handler *h)
{
	struct function *copy = arena_new(s->arena, struct function);

	*copy = *f;
	copy->original = f;
	copy->clone_of = h;
	copy->used = false;
	copy->overload = NULL;
	copy->body = ast_clone(s->arena, f->body);
	copy->params.data = NULL;
	copy->params.count = copy->params.capacity = 0;
	vec_each(&f->params, i)
		vec_push(s->arena, &copy->params, clone_symbol(s, f->params.data[i]));
	vec_push(s->arena, &h->clones, copy);
	return copy;
}

struct function *perprobe_function(struct session *s, struct function *f, struct handler *h,
				   struct loc call)
{
	struct function *copy;

	vec_each(&h->clones, i)
		if (h->clones.data[i]->original == f)
			return h->clones.data[i];
	f->used = true; /* avoids a warning; only its clones become part of the program */
	copy = clone_function(s, f, h);
	if (copy->body) {
		sem_lead_to_call(s, copy, call);
		bind_targets(s, h->point, copy->body);
	}
	return copy;
}
