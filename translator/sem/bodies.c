/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bodies.h. */
#include "sem/bodies.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "sem/perprobe.h"
#include "sem/prune.h"
#include "sem/sem.h"
#include "sem/tapset.h"

/* ---- @probewrite(v) with an alias: does the text around it write v ---- */

struct probewrite {
	const struct probe *probe;
	const struct chain *outer;
	const char *name;
};

static int find_write(struct node *n, void *ctx)
{
	const struct probewrite *pw = ctx;
	const struct node *place = n->kind == NODE_ASSIGN   ? n->lhs
				   : n->kind == NODE_INCDEC ? n->operand
							    : NULL;

	return place && place->kind == NODE_NAME && !strcmp(place->name, pw->name) ? -1 : 0;
}

static bool is_written(struct probewrite *pw)
{
	for (const struct chain *c = pw->outer; c; c = c->outer)
		if (c->alias && (ast_walk(c->alias->prologue, find_write, NULL, pw) < 0 ||
				 ast_walk(c->alias->epilogue, find_write, NULL, pw) < 0))
			return true;
	return ast_walk(pw->probe->body, find_write, NULL, pw) < 0;
}

static int settle_probewrite(struct node *n, void *ctx)
{
	struct probewrite *pw = ctx;

	if (n->kind != NODE_ATOP || strcmp(n->atop, "probewrite") || !n->list ||
	    n->list->kind != NODE_NAME)
		return 0;
	pw->name = n->list->name;
	*n = (struct node){
		.kind = NODE_NUMBER, .loc = n->loc, .next = n->next, .number = is_written(pw)
	};
	return 0;
}

static struct node *alias_body(struct session *s, const struct probe *probe, const struct chain *c,
			       const struct node *body)
{
	struct probewrite pw = { .probe = probe, .outer = c->outer };
	struct node *copy = ast_clone(s->arena, body);

	ast_walk(copy, settle_probewrite, NULL, &pw);
	return copy;
}

static bool has_bodies(const struct chain *chain)
{
	for (; chain; chain = chain->outer)
		if (chain->alias && (chain->alias->prologue || chain->alias->epilogue))
			return true;
	return false;
}

static struct node *wrap_body(struct session *s, const struct probe *probe,
			      const struct chain *chain)
{
	const struct chain innermost = { .outer = NULL };
	struct node *block = node_new(s->arena, NODE_BLOCK, probe->body->loc);
	struct node *after = NULL;

	block->list = has_bodies(chain) ? alias_body(s, probe, &innermost, probe->body)
					: ast_clone(s->arena, probe->body);
	/*
	 * The chain goes from the innermost alias, nearest to the kernel, outwards: the
	 * parts of an outer alias are further inside.
	 */
	for (const struct chain *c = chain; c; c = c->outer)
		if (c->alias && c->alias->epilogue)
			after = node_append(alias_body(s, probe, c, c->alias->epilogue), after);
	block->list->next = after;

	struct node *before = NULL;

	for (const struct chain *c = chain; c; c = c->outer)
		if (c->alias && c->alias->prologue)
			before = node_append(before, alias_body(s, probe, c, c->alias->prologue));
	block->list = node_append(before, block->list);
	return block;
}

struct handler *bodies_new_handler(struct derivation *dv, struct node *body)
{
	struct handler *h = arena_new(dv->s->arena, struct handler);

	h->body = body;
	h->loc = dv->probe->loc;
	vec_push(dv->s->arena, &dv->s->program->handlers, h);
	return h;
}

static struct node *all_conditions(struct session *s, const struct chain *chain)
{
	struct node *all = NULL;

	for (; chain; chain = chain->outer) {
		struct node *one, *both;

		if (!chain->condition || !chain->condition->condition)
			continue;
		one = ast_clone(s->arena, chain->condition->condition);
		if (all) {
			both = node_new(s->arena, NODE_LOGICAL, one->loc);
			both->op = OP_LAND;
			both->lhs = all;
			both->rhs = one;
			one = both;
		}
		all = one;
	}
	return all;
}

/*
 * Returns the handler of an equal body. Aliases that differ only in their points
 * (syscall.* with name and argstr) share one body.
 */
static struct handler *same_handler(struct derivation *dv, struct node *body)
{
	struct strbuf text;
	struct handler *h;

	strbuf_init(&text, dv->s->arena);
	ast_print_statement(&text, body, 0);
	h = hashmap_get(&dv->bodies, text.s);
	if (!h) {
		h = bodies_new_handler(dv, body);
		hashmap_put(&dv->bodies, text.s, h);
	}
	return h;
}

/* ---- variables of aliases, which messages about unknown names list ---- */

struct offer {
	struct session *s;
	struct handler *h;
};

static int note_offered(struct node *n, void *ctx)
{
	const struct offer *offer = ctx;
	struct handler *h = offer->h;
	const struct node *name = n->kind == NODE_ASSIGN && n->op == OP_NONE ? n->lhs : NULL;

	if (!name || name->kind != NODE_NAME || name->name[0] == '_' ||
	    (name->loc.source && tapset_own_global(offer->s, name->name, name->loc.source)))
		return 0;
	vec_each(&h->offered, i)
		if (!strcmp(h->offered.data[i], name->name))
			return 0;
	vec_push(offer->s->arena, &h->offered, name->name);
	return 0;
}

static void note_offers(struct session *s, struct handler *h, const struct chain *chain,
			const char *pn)
{
	struct offer offer = { .s = s, .h = h };

	if (h->pn)
		return;
	h->pn = pn;
	for (; chain; chain = chain->outer)
		if (chain->alias && chain->alias->prologue)
			ast_walk(chain->alias->prologue, note_offered, NULL, &offer);
}

/* ---- int_arg(1) and similar ones at a return: each point has its own handler ---- */

static int find_argument(struct node *n, void *ctx)
{
	const struct function *f =
		n->kind == NODE_CALL ? sem_find_functions(ctx, n->name, n->loc.source) : NULL;

	return f && f->pragmas & PRAGMA_ARGUMENT ? -1 : 0;
}

static bool has_arguments(struct session *s, const struct node *body)
{
	return ast_walk((struct node *)body, find_argument, NULL, s) < 0;
}

/* Gives the point its own handler. False: it lacks a variable, and is left out. */
static bool give_own(struct derivation *dv, struct derived *d, bool is_one_of_several,
		     struct node *body)
{
	struct handler *h = bodies_new_handler(dv, body);

	d->handler = h;
	h->point = d;
	d->may_lack = dv->is_wild || is_one_of_several;
	bind_targets(dv->s, d, h->body);
	if (!d->lacks)
		return true;
	dv->s->program->handlers.count--;
	dv->first_lacking = dv->lacking++ ? dv->first_lacking : d;
	return false;
}

void bodies_give(struct derivation *dv, derived_list *list, const struct chain *chain,
		 const char *pn)
{
	struct session *s = dv->s;
	bool plain = !has_bodies(chain);
	struct handler *h = plain ? dv->shared : NULL;
	struct node *body = h ? h->body : wrap_body(s, dv->probe, chain);
	bool targets, arguments;

	/* -L shows the variables that aliases offer. */
	if (!s->options->list)
		prune_unread(s, body);
	targets = bind_has_targets(body) || perprobe_matters(s, body);
	arguments = has_arguments(s, body);
	vec_each(list, i) {
		struct derived *d = list->data[i];

		if (targets || (arguments && probe_is_return(d))) {
			if (!give_own(dv, d, list->count > 1, ast_clone(s->arena, body)))
				continue;
		} else {
			h = h ? h : same_handler(dv, body);
			d->handler = h;
		}
		d->pn = pn ? pn : d->pp;
		if (!plain)
			note_offers(s, d->handler, chain, d->pn);
		d->derivation = chain->derivation;
		d->condition = all_conditions(s, chain);
		vec_push(s->arena, &s->program->probes, d);
		dv->served++;
	}
	if (plain)
		dv->shared = h;
}
