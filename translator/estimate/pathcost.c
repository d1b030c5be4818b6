/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk over a handler. A `way` is the cost so far: the minimum and maximum over the
 * paths that lead to the current construct, and over those that ended before it, by next,
 * return or break. costs.def names the walker of each construct.
 */
#include "estimate/estimate.h"

#include <string.h>

#include "ast/ast.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/ops.h"
#include "probe/probe.h"

#define SHARED_HITS_FROM 9 /* module/cfile.c: this many probes share the code of a hit */
#define CALLS_DEEP_MOST	 32
#define SUMS		 (1u << STAT_MIN | 1u << STAT_MAX | 1u << STAT_VARIANCE)

/* The cost of a set of paths. is_there: there is such a path. */
struct sum {
	bool is_there;
	int64_t low, high;
	estimate_shares shares; /* of the most expensive */
};

struct way {
	struct sum on; /* paths that go on */
	struct sum ended;
	bool recorded; /* the hit has begun its record */
};

struct walk {
	struct session *s;
	struct estimate *ret;
	struct way way;
	const struct function *calls[CALLS_DEEP_MOST]; /* functions being walked */
	unsigned depth;
};

enum operation {
#define OPERATION(id, instructions, what) COST_##id,
#include "estimate/costs.def"
	OPERATION_COUNT
};

static const struct {
	int64_t instructions;
	const char *what;
} operations[OPERATION_COUNT] = {
#define OPERATION(id, instructions, what) [COST_##id] = { instructions, what },
#include "estimate/costs.def"
};

/* ---- sums ---- */

static void add_share(struct arena *a, estimate_shares *shares, const char *what, int64_t amount)
{
	struct estimate_share share = { what, amount };

	vec_each(shares, i) {
		if (strcmp(shares->data[i].what, what))
			continue;
		shares->data[i].amount += amount;
		return;
	}
	vec_push(a, shares, share);
}

static void add_named(struct walk *w, const char *what, int64_t amount)
{
	if (!w->way.on.is_there || !amount)
		return;
	w->way.on.low += amount;
	w->way.on.high += amount;
	add_share(w->s->arena, &w->way.on.shares, what, amount);
}

static void add(struct walk *w, enum operation id)
{
	add_named(w, operations[id].what, operations[id].instructions);
}

/* Returns a copy with separate shares. */
static struct sum sum_copy(struct arena *a, const struct sum *from)
{
	struct sum copy = *from;

	memset(&copy.shares, 0, sizeof(copy.shares));
	vec_each(&from->shares, i)
		vec_push(a, &copy.shares, from->shares.data[i]);
	return copy;
}

/* Returns the sum that covers both paths. */
static struct sum sum_either(const struct sum *a, const struct sum *b)
{
	struct sum both = a->high >= b->high ? *a : *b;

	if (!a->is_there || !b->is_there)
		return a->is_there ? *a : *b;
	both.low = a->low < b->low ? a->low : b->low;
	return both;
}

static struct way way_copy(struct arena *a, const struct way *from)
{
	struct way copy = { sum_copy(a, &from->on), sum_copy(a, &from->ended), from->recorded };

	return copy;
}

static struct way way_either(const struct way *a, const struct way *b)
{
	struct way both = { sum_either(&a->on, &b->on), sum_either(&a->ended, &b->ended),
			    a->recorded || b->recorded };

	return both;
}

/* Lets the paths that have ended go on. */
static void way_join(struct way *w)
{
	w->on = sum_either(&w->on, &w->ended);
	memset(&w->ended, 0, sizeof(w->ended));
}

/* ---- walkers ---- */

static void walk_node(struct walk *w, const struct node *n);

static void walk_list(struct walk *w, const struct node *list)
{
	for (; list; list = list->next)
		walk_node(w, list);
}

static void walk_nothing(struct walk *w, const struct node *n)
{
}

static void walk_plain(struct walk *w, const struct node *n)
{
	for (unsigned i = 0; i < 4; i++)
		walk_node(w, n->kid[i]);
	walk_list(w, n->list);
	if (n->kind == NODE_UNARY)
		add(w, COST_ARITHMETIC);
}

static void walk_block(struct walk *w, const struct node *n)
{
	walk_list(w, n->list);
}

/* Walks both branches from here; either may be absent. */
static void walk_either(struct walk *w, const struct node *a, const struct node *b)
{
	struct way other = way_copy(w->s->arena, &w->way), first;

	walk_node(w, a);
	first = w->way;
	w->way = other;
	walk_node(w, b);
	w->way = way_either(&first, &w->way);
}

static void walk_if(struct walk *w, const struct node *n)
{
	walk_node(w, n->cond);
	add(w, COST_ARITHMETIC);
	walk_either(w, n->then, n->els);
}

static void walk_logical(struct walk *w, const struct node *n)
{
	walk_node(w, n->lhs);
	add(w, COST_ARITHMETIC);
	walk_either(w, n->rhs, NULL);
}

static void walk_try(struct walk *w, const struct node *n)
{
	add(w, COST_TRY);
	walk_node(w, n->block);
	walk_either(w, n->catch_block, NULL);
}

static void walk_end(struct walk *w, const struct node *n)
{
	if (n->kind == NODE_RETURN)
		walk_node(w, n->operand);
	w->way.ended = sum_either(&w->way.on, &w->way.ended);
	memset(&w->way.on, 0, sizeof(w->way.on));
}

static void walk_binary(struct walk *w, const struct node *n)
{
	walk_node(w, n->lhs);
	walk_node(w, n->rhs);
	if (n->lhs->type == TYPE_STRING)
		add(w, COST_STRING_COMPARE);
	else
		add(w, n->op == OP_DIV || n->op == OP_MOD ? COST_DIVIDE : COST_ARITHMETIC);
}

static void walk_regex(struct walk *w, const struct node *n)
{
	walk_node(w, n->lhs);
	add(w, COST_REGEX);
}

static void walk_concat(struct walk *w, const struct node *n)
{
	walk_list(w, n->list);
	for (const struct node *i = n->list; i && i->next; i = i->next)
		add(w, COST_CONCATENATION);
}

static void walk_name(struct walk *w, const struct node *n)
{
	if (n->symbol && n->symbol->kind == SYMBOL_GLOBAL && n->symbol->type == TYPE_STRING)
		add(w, COST_STRING_COPY);
}

/* ---- arrays and aggregates ---- */

static bool has_string(const struct node *keys)
{
	for (; keys; keys = keys->next)
		if (keys->type == TYPE_STRING)
			return true;
	return false;
}

/*
 * Adds the search for an element. The runtime has shorter code where the keys are
 * numbers, and the shortest for one.
 */
static void add_search(struct walk *w, const struct symbol *array, const struct node *keys,
		       enum operation what)
{
	walk_list(w, keys);
	add(w, what);
	if (array && array->arity == 1 && array->type == TYPE_LONG &&
	    array->key_types[0] == TYPE_LONG)
		return;
	add(w, COST_KEYS);
	if (keys && keys->next)
		add(w, has_string(keys) ? COST_KEYS_SEVERAL : COST_KEYS_NUMBERS);
	for (const struct node *k = keys; k; k = k->next)
		add(w, k->type == TYPE_STRING ? COST_KEY_STRING : COST_KEY_NUMBER);
}

static void walk_index(struct walk *w, const struct node *n)
{
	add_search(w, n->base->symbol, n->list, COST_ELEMENT_READ);
	if (n->type == TYPE_STRING)
		add(w, COST_STRING_COPY);
}

static void walk_in(struct walk *w, const struct node *n)
{
	add_search(w, n->rhs ? n->rhs->symbol : NULL, n->list, COST_ELEMENT_READ);
}

static void walk_delete(struct walk *w, const struct node *n)
{
	if (n->operand->kind == NODE_INDEX)
		add_search(w, n->operand->base->symbol, n->operand->list, COST_ELEMENT_DELETE);
	else
		add(w, COST_ELEMENT_DELETE);
}

static void add_histogram(struct walk *w, enum hist_kind kind)
{
	if (kind == HIST_FINE)
		add(w, COST_QUANTILES);
	else
		add(w, kind == HIST_LINEAR ? COST_HISTOGRAM_LINEAR : COST_HISTOGRAM_LOG);
}

/*
 * Adds the cost of a value for an aggregate, which depends on the results that the script
 * uses.
 */
static void add_aggregate(struct walk *w, const struct node *n)
{
	const struct symbol *sym = n->kind == NODE_INDEX ? n->base->symbol : n->symbol;

	add(w, COST_AGGREGATE);
	if (sym && (sym->stat_ops & SUMS))
		add(w, COST_AGGREGATE_SUMS);
	for (size_t i = 0; sym && i < sym->histograms.count; i++)
		add_histogram(w, sym->histograms.data[i]->hist_kind);
}

/* Adds the search for the place of an assignment. */
static void walk_place(struct walk *w, const struct node *n)
{
	if (n->kind == NODE_INDEX)
		add_search(w, n->base->symbol, n->list, COST_ELEMENT);
	else if (n->kind != NODE_NAME)
		walk_node(w, n);
}

/* Adds the cost of a place that is read before it is written. */
static void add_change(struct walk *w, const struct node *place)
{
	if (place->kind == NODE_INDEX)
		add(w, COST_ELEMENT_CHANGE);
	add(w, COST_ARITHMETIC);
}

static void walk_assign(struct walk *w, const struct node *n)
{
	walk_node(w, n->rhs);
	walk_place(w, n->lhs);
	if (n->op == OP_STAT)
		add_aggregate(w, n->lhs);
	else if (n->lhs->type == TYPE_STRING)
		add(w, n->op == OP_CONCAT ? COST_CONCATENATION : COST_STRING_COPY);
	else if (n->op != OP_NONE)
		add_change(w, n->lhs);
	if (n->op == OP_DIV || n->op == OP_MOD)
		add(w, COST_DIVIDE);
}

static void walk_incdec(struct walk *w, const struct node *n)
{
	walk_place(w, n->operand);
	add_change(w, n->operand);
}

static void walk_statop(struct walk *w, const struct node *n)
{
	walk_place(w, n->operand);
	add(w, COST_AGGREGATE_READ);
}

/* ---- probe points ---- */

static void walk_target(struct walk *w, const struct node *n)
{
	const struct access *a = n->access;

	walk_node(w, n->operand);
	walk_list(w, n->list);
	if (a && !a->value)
		add(w, COST_ARGUMENT);
	for (size_t i = 0; a && i < a->steps.count; i++)
		if (a->steps.data[i].kind == ACCESS_LOAD || a->steps.data[i].kind == ACCESS_INTO)
			add(w, a->user ? COST_MEMBER_PROGRAM : COST_MEMBER);
	if (a && a->pretty)
		add(w, COST_PRETTY);
}

static void walk_entry(struct walk *w, const struct node *n)
{
}

static void walk_atop(struct walk *w, const struct node *n)
{
	walk_plain(w, n);
	if (n->reader)
		add(w, COST_COUNTER);
}

static void walk_embed(struct walk *w, const struct node *n)
{
	add(w, COST_C_FUNCTION);
}

/* ---- printing ---- */

static void add_record(struct walk *w)
{
	if (!w->way.recorded)
		add(w, COST_RECORD);
	w->way.recorded = true;
	w->ret->prints = true;
}

static void walk_print(struct walk *w, const struct node *n)
{
	const struct node *arg = n->list;

	walk_list(w, n->list);
	if (!n->to_string)
		add_record(w);
	add(w, n->to_string ? COST_SPRINT : COST_PRINT);
	for (; arg; arg = arg->next) {
		if (!n->with_format && (arg->kind == NODE_STRING || arg->kind == NODE_NUMBER))
			continue;
		if (n->to_string)
			add(w, arg->type == TYPE_STRING ? COST_SPRINT_STRING : COST_SPRINT_NUMBER);
		else
			add(w, arg->type == TYPE_STRING ? COST_PRINT_STRING : COST_PRINT_NUMBER);
	}
}

/* ---- loops ---- */

static void note_loop(struct walk *w, const struct node *n, const struct sum *turn, bool is_sort)
{
	struct estimate_loop loop = { .loc = n->loc,
				      .what = node_kind_name(n->kind),
				      .low = turn->low,
				      .high = turn->high,
				      .is_sort = is_sort };

	vec_push(w->s->arena, &w->ret->loops, loop);
}

/*
 * Walks one turn of a loop, whose cost is not added to the sum; test and step may be
 * NULL.
 */
static void walk_turn(struct walk *w, const struct node *n, const struct node *test,
		      const struct node *step, const struct node *body, enum operation each)
{
	struct way outer = w->way;
	bool prints = w->ret->prints;

	w->ret->prints = false;
	w->way = (struct way){ .on = { .is_there = true }, .recorded = true };
	add(w, each);
	walk_node(w, test);
	walk_node(w, body);
	way_join(&w->way);
	walk_node(w, step);
	note_loop(w, n, &w->way.on, false);
	w->way = outer;
	if (w->ret->prints)
		add_record(w);
	w->ret->prints |= prints;
}

static void walk_loop(struct walk *w, const struct node *n)
{
	walk_node(w, n->init);
	add(w, COST_LOOP);
	walk_node(w, n->test);
	walk_turn(w, n, n->test, n->step, n->body, COST_LOOP_TURN);
}

static void walk_foreach(struct walk *w, const struct node *n)
{
	int64_t sort = operations[n->limit ? COST_SORT_LIMITED : COST_SORT_ELEMENT].instructions;
	struct sum element = { true, sort, sort, { 0 } };

	walk_list(w, n->list);
	walk_node(w, n->limit);
	add(w, COST_FOREACH);
	if (n->sort_column)
		note_loop(w, n, &element, true);
	walk_turn(w, n, NULL, NULL, n->each_body, COST_FOREACH_TURN);
}

/* ---- calls ---- */

static void note_unknown(struct walk *w, const struct function *f)
{
	add(w, COST_C_FUNCTION);
	vec_each(&w->ret->unknown, i)
		if (!strcmp(w->ret->unknown.data[i], f->name))
			return;
	vec_push(w->s->arena, &w->ret->unknown, f->name);
}

/* Walks the body of a function of the script; one that is walked already calls itself. */
static void walk_function(struct walk *w, const struct function *f)
{
	struct sum ended = w->way.ended;

	for (unsigned i = 0; i < w->depth; i++)
		if (w->calls[i] == f || w->depth == CALLS_DEEP_MOST) {
			w->ret->recurses = true;
			return;
		}
	add(w, COST_CALL);
	w->calls[w->depth++] = f;
	memset(&w->way.ended, 0, sizeof(w->way.ended));
	walk_node(w, f->body);
	way_join(&w->way);
	w->way.ended = ended;
	w->depth--;
}

static void walk_call(struct walk *w, const struct node *n)
{
	const struct function *f = overload_candidate(n, 0);
	int64_t cost;

	walk_list(w, n->list);
	if (!f)
		return;
	cost = f->source && f->source->is_tapset ? estimate_called(f->name) : -1;
	if (cost >= 0)
		add_named(w, arena_printf(w->s->arena, "%s()", f->name), cost);
	else if (f->body)
		walk_function(w, f);
	else
		note_unknown(w, f);
}

/* ---- the table ---- */

static void (*const walkers[NODE_KIND_COUNT])(struct walk *w, const struct node *n) = {
#define CONSTRUCT(kind, walker) [NODE_##kind] = walk_##walker,
#include "estimate/costs.def"
};

enum construct {
#define CONSTRUCT(kind, walker) CONSTRUCT_##kind,
#include "estimate/costs.def"
	CONSTRUCT_COUNT
};
#define NODE(kind, name, times) _Static_assert((int)CONSTRUCT_##kind >= 0, "every kind has a row");
#include "ast/kinds.def"
#undef NODE
_Static_assert((int)CONSTRUCT_COUNT == (int)NODE_KIND_COUNT, "no row without a kind");

static void walk_node(struct walk *w, const struct node *n)
{
	if (n && w->way.on.is_there)
		walkers[n->kind](w, n);
}

/* ---- a point ---- */

static void walk_locks(struct walk *w, const struct estimate_locks *locks)
{
	for (unsigned i = 0; i < locks->globals; i++)
		add(w, COST_LOCK);
	if (locks->globals > 1)
		add(w, COST_LOCKS_SEVERAL);
	for (unsigned i = 0; i < locks->elements; i++)
		add(w, COST_LOCK_ELEMENT);
}

static int expensive_first(const void *a, const void *b)
{
	const struct estimate_share *x = a, *y = b;

	return (x->amount < y->amount) - (x->amount > y->amount);
}

static void walk_hit(struct walk *w, const struct derived *d, const struct estimate_locks *locks)
{
	const struct handler *h = d->handler;

	if (options_passed(w->s->options, "--cgroup"))
		add(w, COST_CGROUP);
	if (w->s->program->probes.count >= SHARED_HITS_FROM && !d->family->runs_alone)
		add(w, COST_SHARED_HIT);
	walk_locks(w, locks);
	if (h->saved.count)
		add(w, COST_ENTRY_HALF);
	vec_each(&h->saved, i) {
		add(w, COST_SAVED);
		walk_node(w, h->saved.data[i]);
	}
	if (d->condition) {
		add(w, COST_CONDITION);
		walk_node(w, d->condition);
		walk_either(w, h->body, NULL);
	} else {
		walk_node(w, h->body);
	}
	way_join(&w->way);
}

void estimate_point(struct session *s, const struct derived *d, const struct estimate_locks *locks,
		    struct estimate *ret)
{
	struct walk w = { .s = s, .ret = ret, .way.on.is_there = true };
	const char *what;
	int64_t cost = estimate_point_cost(s, d, &what);

	add_named(&w, what, cost);
	walk_hit(&w, d, locks);
	ret->low = w.way.on.low;
	ret->high = w.way.on.high;
	ret->shares = w.way.on.shares;
	vec_sort(&ret->shares, expensive_first);
}
