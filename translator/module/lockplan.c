/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See lockplan.h. Each probe takes the locks of the globals that its handler, its
 * condition, its entry handler and the functions they call use, in the order of the
 * globals. A global that nobody writes needs none; adding to a scalar aggregate needs
 * none, because every CPU adds to its own part.
 *
 * The elements of an array are handled in the same way if all probes except rare ones
 * only add to it. The probes that add share the lock; the others lock the array
 * exclusively, and sum the parts up before they read it.
 *
 * The same is true of arrays of numbers of which all probes except rare ones only set one
 * element, if that is all they change: each element has the value that one of them has
 * stored. Of probes that run at the same time, either one may be the last.
 *
 * Arrays of which each handler, except those of rare probes, uses one element, by a key
 * that can be computed before, have locks for their elements. Such a handler takes the
 * lock of its element; the others take all, after their other locks.
 *
 * Globals that every probe locks together share one lock: a hit that waits for one of
 * them would also wait for the others.
 */
#include "module/lockplan.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/ops.h"
#include "base/options.h"
#include "base/session.h"
#include "emit/limits.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "module/elementkeys.h"
#include "probe/probe.h"

struct needs {
	struct program *p;
	unsigned char *use; /* by global */
	bool *visited;	    /* by function */
};

/* Returns how the use locks. Adding to an element is USE_ADD only. */
static unsigned lock_use(const struct symbol *sym, unsigned use)
{
	if (use & (USE_ADD | USE_TALLY))
		return sym->arity > 0 ? USE_ADD : use & ~USE_ADD;
	return use & (USE_READ | USE_WRITE | USE_SORT);
}

static void note_use(struct symbol *sym, unsigned use, void *ctx)
{
	struct needs *n = ctx;

	if (sym->kind == SYMBOL_GLOBAL)
		n->use[sym->index] |= lock_use(sym, use);
}

static void note_body(struct needs *n, struct node *body);

static int note_call(struct node *call, void *ctx)
{
	struct needs *n = ctx;
	struct function *f;

	if (call->kind != NODE_CALL)
		return 0;
	for (unsigned i = 0; (f = overload_candidate(call, i)); i++) {
		for (size_t k = 0; k < n->p->functions.count; k++) {
			if (n->p->functions.data[k] != f || n->visited[k])
				continue;
			n->visited[k] = true;
			if (f->body)
				note_body(n, f->body);
			else
				uses_visit_function(n->p, f, note_use, n);
		}
	}
	return 0;
}

static void note_body(struct needs *n, struct node *body)
{
	uses_visit(body, note_use, n);
	ast_walk(body, note_call, NULL, n);
}

/* ---- the only change ---- */

struct changes {
	const struct node *last;
	unsigned count;
	bool repeated;
};

static int note_change(struct node *n, void *ctx)
{
	struct changes *ch = ctx;

	ch->repeated |= node_is_loop(n);
	if (node_ops[n->kind]->effect(n) == EFFECT_OUTSIDE) {
		ch->last = n;
		ch->count++;
	}
	return 0;
}

/*
 * Returns the array of which the probe sets one element, to a number, if it changes
 * nothing else, and prints nothing; or NULL.
 */
static const struct symbol *only_set(const struct derived *d)
{
	struct changes ch = { 0 };
	const struct node *n, *place;

	ast_walk(d->handler->body, note_change, NULL, &ch);
	vec_each(&d->handler->saved, i)
		ast_walk(d->handler->saved.data[i], note_change, NULL, &ch);
	if (d->condition)
		ast_walk(d->condition, note_change, NULL, &ch);
	n = ch.last;
	if (ch.count != 1 || ch.repeated || n->kind != NODE_ASSIGN || n->op != OP_NONE)
		return NULL;
	place = n->lhs;
	if (place->kind != NODE_INDEX || place->base->kind != NODE_NAME || !place->base->symbol ||
	    place->base->symbol->kind != SYMBOL_GLOBAL || place->base->symbol->type != TYPE_LONG)
		return NULL;
	return place->base->symbol;
}

static unsigned char *probe_needs(struct session *s, const struct derived *d)
{
	struct program *p = s->program;
	struct needs n = { .p = p };
	const struct symbol *set = only_set(d);

	n.use = arena_array(s->arena, unsigned char, p->globals.count + 1);
	n.visited = arena_array(s->arena, bool, p->functions.count + 1);
	note_body(&n, d->handler->body);
	vec_each(&d->handler->saved, i)
		note_body(&n, d->handler->saved.data[i]);
	if (d->condition)
		note_body(&n, d->condition);
	if (set && n.use[set->index] == USE_WRITE)
		n.use[set->index] = USE_SET;
	return n.use;
}

/*
 * The number of bits in `adders` of struct stp_lock: the limit of arrays with adders.
 */
#define ADDERS_MOST 64
/* The value of STP_MAP_SORTS. */
#define SORTS_MOST 8

/* True: an element is so large that one for each processor would take too much memory. */
static bool array_is_fine(const struct symbol *sym)
{
	vec_each(&sym->histograms, i)
		if (sym->histograms.data[i]->hist_kind == HIST_FINE)
			return true;
	return false;
}

/*
 * True: all probes but rare ones use the array in that way, and share it. If they add,
 * each has its own part; if they set, rare probes alone would gain nothing.
 */
static bool array_is_shared(const struct lockplan *plan, const struct program *p,
			    const struct symbol *sym, unsigned shared)
{
	bool adders = false;

	if (sym->arity <= 0 || sym->wrap || (sym->type != TYPE_LONG && sym->type != TYPE_STATS) ||
	    array_is_fine(sym))
		return false;
	vec_each(&p->probes, i) {
		unsigned use = plan->uses[i][sym->index];

		if (use == shared)
			adders |= shared == USE_ADD ? !p->probes.data[i]->family->runs_alone
						    : !p->probes.data[i]->family->is_rare;
		else if (use && !p->probes.data[i]->family->is_rare)
			return false;
	}
	return adders;
}

static void count_sort(struct symbol *sym, unsigned use, void *ctx)
{
	struct lockplan *plan = ctx;

	if ((use & USE_SORT) && sym->kind == SYMBOL_GLOBAL && plan->sorts[sym->index] < SORTS_MOST)
		plan->sorts[sym->index]++;
}

/*
 * Plans the sorted loops that can be nested: at most the number of loops, unless a
 * function calls itself, which is allowed once.
 */
static void plan_sorts(struct lockplan *plan, struct program *p)
{
	vec_each(&p->handlers, i)
		uses_visit(p->handlers.data[i]->body, count_sort, plan);
	vec_each(&p->functions, i) {
		uses_visit_function(p, p->functions.data[i], count_sort, plan);
		uses_visit_function(p, p->functions.data[i], count_sort, plan);
	}
}

/* ---- locks of elements ---- */

/* The most elements that a handler locks. */
#define ELEMENTS_MOST 8

/* In programs there is nothing but rare probes. */
static bool is_rare(const struct session *s, const struct derived *d)
{
	return s->options->runtime == RUNTIME_USER ? d->family->runs_alone : d->family->is_rare;
}

/* Numbers as keys, and no limit: the elements of a shard are allocated by itself. */
static bool array_may_have_shards(struct session *s, const struct lockplan *plan,
				  const struct symbol *sym)
{
	if (s->options->runtime == RUNTIME_BPF || sym->arity <= 0 || sym->wrap ||
	    sym->max_entries > 0 || limit_value(s, LIMIT_MAP_ENTRIES) || array_is_fine(sym) ||
	    plan->adders[sym->index] || !(plan->any[sym->index] & (USE_WRITE | USE_ADD | USE_SET)))
		return false;
	for (int i = 0; i < sym->arity; i++)
		if (sym->key_types[i] != TYPE_LONG)
			return false;
	return true;
}

struct element_search {
	struct session *s;
	struct needs calls;  /* of functions */
	bool *moves;	     /* by handler: it may sleep, and go on on another processor */
	bool *seen;	     /* by handler; for one global, as the next two */
	struct node **keys;  /* … the key of the element that it uses */
	unsigned char *most; /* … how many elements it locks already */
};

static void search_init(struct element_search *f, struct session *s)
{
	struct program *p = s->program;

	*f = (struct element_search){ .s = s, .calls.p = p };
	f->calls.use = arena_array(s->arena, unsigned char, p->globals.count + 1);
	f->calls.visited = arena_array(s->arena, bool, p->functions.count + 1);
	f->moves = arena_array(s->arena, bool, p->handlers.count + 1);
	f->seen = arena_array(s->arena, bool, p->handlers.count + 1);
	f->keys = arena_array(s->arena, struct node *, p->handlers.count + 1);
	f->most = arena_array(s->arena, unsigned char, p->handlers.count + 1);
	vec_each(&p->handlers, i)
		p->handlers.data[i]->index = i;
	vec_each(&p->probes, i)
		f->moves[p->probes.data[i]->handler->index] |= p->probes.data[i]->family->is_rare;
}

/*
 * True: a function that is called in the code uses the global, or the code itself, if
 * asked.
 */
static bool is_used(struct element_search *f, struct node *code, bool itself, size_t global)
{
	struct needs *n = &f->calls;

	memset(n->use, 0, n->p->globals.count);
	memset(n->visited, 0, n->p->functions.count * sizeof(*n->visited));
	if (itself)
		uses_visit(code, note_use, n);
	ast_walk(code, note_call, NULL, n);
	return n->use[global];
}

static struct node *search_keys(struct element_search *f, const struct handler *h, size_t global)
{
	struct node *keys;

	if (f->most[h->index] == ELEMENTS_MOST)
		return NULL;
	keys = elementkeys_find(f->s, h, f->s->program->globals.data[global], !f->moves[h->index]);
	if (!keys || is_used(f, h->body, false, global))
		return NULL;
	vec_each(&h->saved, i)
		if (is_used(f, h->saved.data[i], true, global))
			return NULL;
	return keys;
}

/*
 * Finds the handlers that use one element. True: all do, except those of rare probes, and
 * one that changes it hits often. Otherwise the array keeps its one lock, which readers
 * share.
 */
static bool search_global(struct element_search *f, const struct lockplan *plan, size_t global)
{
	struct program *p = f->s->program;
	bool ret = false;

	memset(f->seen, 0, p->handlers.count * sizeof(*f->seen));
	memset(f->keys, 0, p->handlers.count * sizeof(*f->keys));
	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];
		unsigned h = d->handler->index;

		if (!plan->uses[i][global])
			continue;
		if (!f->seen[h])
			f->keys[h] = search_keys(f, d->handler, global);
		f->seen[h] = true;
		if (d->condition && is_used(f, d->condition, true, global))
			f->keys[h] = NULL;
		if (!f->keys[h] && !is_rare(f->s, d))
			return false;
		ret |= !is_rare(f->s, d) &&
		       (plan->uses[i][global] & (USE_WRITE | USE_ADD | USE_SET));
	}
	return ret;
}

/* The handlers that use one element lock it: their probes do without a lock. */
static void plan_shards(struct lockplan *plan, struct element_search *f, size_t global)
{
	struct program *p = f->s->program;

	if (!array_may_have_shards(f->s, plan, p->globals.data[global]) ||
	    !search_global(f, plan, global))
		return;
	vec_each(&p->probes, i) {
		unsigned h = p->probes.data[i]->handler->index;

		/* A later probe of the handler may have had a condition that uses it. */
		if (!f->keys[h] && !is_rare(f->s, p->probes.data[i]) && plan->uses[i][global])
			return;
	}
	plan->shards[global] = true;
	vec_each(&p->probes, i)
		if (f->keys[p->probes.data[i]->handler->index])
			plan->uses[i][global] = 0;
	vec_each(&p->handlers, i) {
		struct lock_element e = { p->handlers.data[i], global, f->keys[i] };

		if (!e.keys)
			continue;
		vec_push(f->s->arena, &plan->elements, e);
		f->most[i]++;
	}
}

/* ---- shared locks ---- */

bool lockplan_has(const struct lockplan *plan, size_t global)
{
	return plan->any[global] & (USE_WRITE | USE_SORT | USE_ADD | USE_SET);
}

unsigned lockplan_shared_use(const struct lockplan *plan, size_t global)
{
	return plan->sets[global] ? USE_SET : USE_ADD;
}

enum way { WAY_NONE, WAY_LOCKS, WAY_ADDS };

/* Probes that run alone never wait: their way of locking does not count. */
static enum way way_of(const struct lockplan *plan, const struct program *p, size_t probe,
		       size_t global)
{
	unsigned use = plan->uses[probe][global];

	if (!use || p->probes.data[probe]->family->runs_alone)
		return WAY_NONE;
	return plan->adders[global] && use == lockplan_shared_use(plan, global) ? WAY_ADDS
										: WAY_LOCKS;
}

/* Returns a number that is the same for globals which all probes lock in the same way. */
static uint64_t ways_digest(const struct lockplan *plan, const struct program *p, size_t global)
{
	uint64_t digest = (plan->adders[global] != 0) + plan->sets[global];

	vec_each(&p->probes, i)
		digest = (digest ^ way_of(plan, p, i, global)) * UINT64_C(0x100000001b3);
	return digest;
}

static bool ways_are_same(const struct lockplan *plan, const struct program *p, size_t a, size_t b)
{
	vec_each(&p->probes, i)
		if (way_of(plan, p, i, a) != way_of(plan, p, i, b))
			return false;
	return !plan->adders[a] == !plan->adders[b] && plan->sets[a] == plan->sets[b];
}

static size_t find_first(const struct lockplan *plan, const struct program *p,
			 const uint64_t *digests, size_t global)
{
	for (size_t i = 0; i < global && !plan->shards[global]; i++)
		if (plan->first[i] == i && !plan->shards[i] && digests[i] == digests[global] &&
		    lockplan_has(plan, i) && ways_are_same(plan, p, i, global))
			return i;
	return global;
}

static void plan_shared(struct lockplan *plan, struct session *s)
{
	struct program *p = s->program;
	uint64_t *digests = arena_array(s->arena, uint64_t, p->globals.count + 1);

	vec_each(&p->globals, g) {
		digests[g] = ways_digest(plan, p, g);
		plan->first[g] = g;
		if (lockplan_has(plan, g))
			plan->first[g] = find_first(plan, p, digests, g);
		if (plan->first[g] == g)
			continue;
		vec_each(&p->probes, i)
			plan->uses[i][plan->first[g]] |= plan->uses[i][g];
	}
}

/* Plans which probes share the array, if there is a bit for it. */
static void plan_array(struct lockplan *plan, const struct program *p, size_t global,
		       unsigned char *bits)
{
	const struct symbol *sym = p->globals.data[global];

	plan->sets[global] = *bits < ADDERS_MOST && array_is_shared(plan, p, sym, USE_SET);
	if (*bits < ADDERS_MOST && (plan->sets[global] || array_is_shared(plan, p, sym, USE_ADD)))
		plan->adders[global] = ++*bits;
	vec_each(&p->probes, i)
		if (!plan->sets[global] && plan->uses[i][global] == USE_SET)
			plan->uses[i][global] = USE_WRITE;
}

void lockplan_make(struct lockplan *plan, struct session *s)
{
	struct program *p = s->program;
	struct element_search search;
	unsigned char bits = 0;

	*plan = (struct lockplan){ 0 };
	search_init(&search, s);
	plan->any = arena_array(s->arena, unsigned char, p->globals.count + 1);
	plan->adders = arena_array(s->arena, unsigned char, p->globals.count + 1);
	plan->sets = arena_array(s->arena, bool, p->globals.count + 1);
	plan->shards = arena_array(s->arena, bool, p->globals.count + 1);
	plan->sorts = arena_array(s->arena, unsigned char, p->globals.count + 1);
	plan->first = arena_array(s->arena, size_t, p->globals.count + 1);
	plan->uses = arena_array(s->arena, unsigned char *, p->probes.count + 1);
	vec_each(&p->probes, i) {
		plan->uses[i] = probe_needs(s, p->probes.data[i]);
		vec_each(&p->globals, g)
			plan->any[g] |= plan->uses[i][g];
	}
	vec_each(&p->globals, g) {
		plan_array(plan, p, g, &bits);
		plan_shards(plan, &search, g);
	}
	plan_sorts(plan, p);
	plan_shared(plan, s);
}

bool lockplan_takes(const struct lockplan *plan, size_t probe, size_t global)
{
	return plan->uses[probe][global] && plan->first[global] == global &&
	       lockplan_has(plan, global);
}

unsigned lockplan_count(const struct lockplan *plan, const struct program *p, size_t probe)
{
	unsigned count = 0;

	vec_each(&p->globals, g)
		count += lockplan_takes(plan, probe, g);
	return count;
}

unsigned lockplan_elements(const struct lockplan *plan, const struct program *p, size_t probe)
{
	unsigned count = 0;

	vec_each(&plan->elements, i)
		count += plan->elements.data[i].handler == p->probes.data[probe]->handler;
	return count;
}
