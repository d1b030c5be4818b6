/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "module/elementkeys.h"

#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"

struct search {
	struct session *s;
	const struct handler *h;
	const struct symbol *array;
	bool fixed_cpu;
	bool writes_targets;  /* the handler changes variables of the probed code */
	struct node *keys;    /* of the first use */
	unsigned named, used; /* how often its name occurs; as the array of such a use */
	bool failed;
};

/* ---- expressions that have the same value wherever the handler computes them ---- */

static bool is_cpu(const struct search *f, const struct function *function)
{
	return f->fixed_cpu && source_is_library(function->loc) && !strcmp(function->name, "cpu");
}

static bool call_is_fixed(const struct search *f, const struct node *n)
{
	const struct function *function = n->function;

	return function && function->code && !function->overload && !n->list &&
	       ((function->pragmas & PRAGMA_STABLE) || is_cpu(f, function));
}

/* True: the variable is in a register, or was saved at entry; reading it cannot fail. */
static bool target_is_fixed(const struct search *f, const struct node *n)
{
	const struct access *a = n->access;

	if (f->writes_targets || n->target != TARGET_VAR || n->list || !a || a->own || a->user)
		return false;
	if (a->base != ACCESS_ARG && a->base != ACCESS_RETURN && a->base != ACCESS_TRACE_ARG)
		return false;
	vec_each(&a->steps, i)
		if (a->steps.data[i].kind != ACCESS_TRUNCATE)
			return false;
	return a->pretty == PRETTY_NONE;
}

/* True: it may divide by zero. */
static bool may_fail(const struct node *n)
{
	return (n->op == OP_DIV || n->op == OP_MOD) &&
	       (n->rhs->kind != NODE_NUMBER || !n->rhs->number);
}

static bool is_fixed(const struct search *f, const struct node *n)
{
	if (!n || n->type != TYPE_LONG)
		return false;
	switch (n->kind) {
	case NODE_NUMBER:
		return true;
	case NODE_CALL:
		return call_is_fixed(f, n);
	case NODE_TARGET:
		return target_is_fixed(f, n);
	case NODE_UNARY:
		return is_fixed(f, n->operand);
	case NODE_BINARY:
		return is_fixed(f, n->lhs) && is_fixed(f, n->rhs) && !may_fail(n);
	default:
		return false;
	}
}

/* True: two such expressions are the same. */
static bool is_same(const struct node *a, const struct node *b)
{
	if (!a || !b || a->kind != b->kind)
		return a == b;
	switch (a->kind) {
	case NODE_NUMBER:
		return a->number == b->number;
	case NODE_CALL:
		return a->function == b->function;
	case NODE_TARGET:
		return !strcmp(a->target_name, b->target_name) &&
		       a->access->base == b->access->base && a->access->number == b->access->number;
	case NODE_UNARY:
		return a->op == b->op && is_same(a->operand, b->operand);
	default:
		return a->op == b->op && is_same(a->lhs, b->lhs) && is_same(a->rhs, b->rhs);
	}
}

static bool are_same(const struct node *a, const struct node *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!is_same(a, b))
			return false;
	return a == b;
}

/* ---- locals that stand for such an expression ---- */

struct local {
	const struct symbol *sym;
	unsigned writes;
	const struct node *first; /* the first NAME of it */
};

static void count_writes(struct symbol *sym, unsigned use, void *ctx)
{
	struct local *l = ctx;

	if (sym == l->sym && (use & ~(unsigned)(USE_READ | USE_ELEMENT)))
		l->writes++;
}

static int note_first(struct node *n, void *ctx)
{
	struct local *l = ctx;

	if (n->kind != NODE_NAME || n->symbol != l->sym)
		return 0;
	l->first = n;
	return -1;
}

/* Returns the statement `local = …` of the block, or of a block in it; else NULL. */
static const struct node *find_assignment(const struct node *block, const struct node *name)
{
	for (const struct node *n = block->list; n; n = n->next) {
		const struct node *in = n->kind == NODE_BLOCK ? find_assignment(n, name) : NULL;

		if (in)
			return in;
		if (n->kind == NODE_EXPR && n->operand->kind == NODE_ASSIGN &&
		    n->operand->op == OP_NONE && n->operand->lhs == name)
			return n->operand;
	}
	return NULL;
}

/*
 * Returns the expression that the local always has the value of, or NULL: it is set once,
 * by a statement of the handler itself, before anything uses it.
 */
static const struct node *value_of_local(const struct search *f, const struct node *n)
{
	struct local l = { .sym = n->symbol };
	const struct node *assign;

	if (!l.sym || l.sym->kind != SYMBOL_LOCAL || f->h->body->kind != NODE_BLOCK)
		return NULL;
	uses_visit(f->h->body, count_writes, &l);
	if (l.writes != 1)
		return NULL;
	ast_walk(f->h->body, note_first, NULL, &l);
	assign = l.first ? find_assignment(f->h->body, l.first) : NULL;
	return assign ? assign->rhs : NULL;
}

static struct node *fixed_key(const struct search *f, const struct node *key)
{
	const struct node *value = key->kind == NODE_NAME ? value_of_local(f, key) : key;
	struct node *ret;

	if (!is_fixed(f, value))
		return NULL;
	ret = node_new(f->s->arena, value->kind, value->loc);
	*ret = *value;
	ret->next = NULL;
	return ret;
}

static struct node *fixed_keys(const struct search *f, const struct node *list)
{
	struct node *ret = NULL;

	for (; list; list = list->next) {
		struct node *key = fixed_key(f, list);

		if (!key)
			return NULL;
		ret = node_append(ret, key);
	}
	return ret;
}

/* ---- uses ---- */

static void note_keys(struct search *f, const struct node *list)
{
	struct node *keys = fixed_keys(f, list);

	f->used++;
	if (!f->keys)
		f->keys = keys;
	f->failed |= !keys || !are_same(f->keys, keys);
}

static void note_any(struct symbol *sym, unsigned use, void *ctx)
{
	struct search *f = ctx;

	f->failed |= sym == f->array;
}

static int note_use(struct node *n, void *ctx)
{
	struct search *f = ctx;

	if (n->kind == NODE_NAME && n->symbol == f->array)
		f->named++;
	else if (n->kind == NODE_INDEX && n->base->kind == NODE_NAME && n->base->symbol == f->array)
		note_keys(f, n->list);
	else if (n->kind == NODE_IN && n->rhs->kind == NODE_NAME && n->rhs->symbol == f->array)
		note_keys(f, n->list);
	else if (n->kind == NODE_EMBED)
		uses_visit(n, note_any, f);
	return f->failed ? -1 : 0;
}

static int note_write(struct node *n, void *ctx)
{
	struct search *f = ctx;
	const struct node *place = n->kind == NODE_ASSIGN   ? n->lhs
				   : n->kind == NODE_INCDEC ? n->operand
							    : NULL;

	f->writes_targets |= place && place->kind == NODE_TARGET;
	return 0;
}

struct node *elementkeys_find(struct session *s, const struct handler *h,
			      const struct symbol *array, bool fixed_cpu)
{
	struct search f = { .s = s, .h = h, .array = array, .fixed_cpu = fixed_cpu };

	vec_each(&h->saved, i)
		uses_visit(h->saved.data[i], note_any, &f);
	ast_walk(h->body, note_write, NULL, &f);
	ast_walk(h->body, note_use, NULL, &f);
	return f.failed || f.named != f.used ? NULL : f.keys; /* other uses are of all elements */
}
