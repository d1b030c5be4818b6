/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that are used both as arrays and as scalars, with different numbers of keys, or
 * as undeclared arrays. All bodies are checked before elision: elision comes before
 * types, and an elided statement may be the only one that shows the mistake.
 */
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "sem/sem.h"

struct array_uses {
	struct infer in;
	VEC(const struct node *) arrays; /* names of arrays that the walk has not reached yet */
};

static bool is_global(const struct node *n)
{
	return n && n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_GLOBAL;
}

/* True: nothing sets the variable, so it has no type. */
static bool is_undeclared(const struct node *n)
{
	return n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_LOCAL &&
	       !n->symbol->written;
}

static void note_array(struct array_uses *u, struct node *array, int keys, struct loc loc)
{
	if (array && is_undeclared(array))
		typing_arity(&u->in, array->symbol, 1, array->loc);
	if (!is_global(array))
		return;
	vec_push(u->in.s->arena, &u->arrays, array);
	if (keys)
		typing_arity(&u->in, array->symbol, keys, loc);
}

/* Removes a noted name. Each is reached once, right after the node that uses it. */
static bool take_noted(struct array_uses *u, const struct node *n)
{
	vec_each(&u->arrays, i) {
		if (u->arrays.data[i] != n)
			continue;
		u->arrays.data[i] = u->arrays.data[--u->arrays.count];
		return true;
	}
	return false;
}

/* Notes a use. A loop may be over a slice: lang/foreach.c counts its keys. */
static int note_use(struct node *n, void *ctx)
{
	struct array_uses *u = ctx;

	switch (n->kind) {
	case NODE_INDEX:
		note_array(u, n->base, (int)node_count(n->list), n->loc);
		break;
	case NODE_IN:
		note_array(u, n->rhs, (int)node_count(n->list), n->loc);
		break;
	case NODE_FOREACH:
		note_array(u, n->array, 0, n->loc);
		break;
	case NODE_DELETE:
		note_array(u, n->operand, 0, n->loc);
		break;
	case NODE_NAME:
		if (is_global(n) && !take_noted(u, n))
			typing_arity(&u->in, n->symbol, 0, n->loc);
		break;
	default:
		break;
	}
	return 0;
}

static void note_body(struct array_uses *u, struct node *body)
{
	u->arrays.count = 0;
	ast_walk(body, note_use, NULL, u);
}

void sem_check_arrays(struct session *s)
{
	struct program *p = s->program;
	struct array_uses u = { .in = { .s = s, .reported = &p->reported } };
	int *arities = arena_array(s->arena, int, p->globals.count + 1);

	if (s->errors) /* an error may be the reason for a strange use of a name */
		return;
	uses_mark(s);
	vec_each(&p->globals, i) {
		arities[i] = p->globals.data[i]->arity;
		if (p->globals.data[i]->init && p->globals.data[i]->arity < 0)
			p->globals.data[i]->arity = 0;
	}
	vec_each(&p->functions, i)
		note_body(&u, p->functions.data[i]->body);
	vec_each(&p->handlers, i)
		note_body(&u, p->handlers.data[i]->body);
	/* Inference starts again: elided code tells nothing about a variable. */
	vec_each(&p->globals, i)
		p->globals.data[i]->arity = arities[i];
}
