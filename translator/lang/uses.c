/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/uses.h"

#include <string.h>

#include "ast/program.h"
#include "base/arena.h"
#include "base/session.h"

struct visit {
	use_fn fn;
	void *ctx;
};

static void visit(struct visit *v, struct node *n, bool wanted);

static void visit_list(struct visit *v, struct node *list)
{
	for (; list; list = list->next)
		visit(v, list, true);
}

bool uses_pragma(const struct program *p, unsigned pragma)
{
	vec_each(&p->functions, i)
		if (p->functions.data[i]->pragmas & pragma)
			return true;
	return false;
}

/* Visits the variable of a NAME or INDEX with this use; the keys are read. */
static void visit_place(struct visit *v, struct node *n, unsigned use)
{
	struct node *name = n->kind == NODE_INDEX ? n->base : n;

	if (n->kind == NODE_INDEX) {
		visit_list(v, n->list);
		use |= USE_ELEMENT;
	}
	if (name->kind != NODE_NAME)
		visit(v, name, true);
	else if (name->symbol)
		v->fn(name->symbol, use, v->ctx);
}

static void visit_foreach(struct visit *v, struct node *n)
{
	for (struct node *key = n->keys; key; key = key->next)
		visit_place(v, key, USE_WRITE);
	if (n->value)
		visit_place(v, n->value, USE_WRITE);
	visit_place(v, n->array, USE_READ | (n->sort_column ? USE_SORT : 0));
	visit_list(v, n->list);
	if (n->limit)
		visit(v, n->limit, true);
	visit(v, n->each_body, false);
}

static void visit_children(struct visit *v, struct node *n)
{
	for (unsigned i = 0; i < 4; i++) {
		if (n->kid[i])
			visit(v, n->kid[i],
			      n->kind != NODE_EXPR &&
				      (n->kind != NODE_FOR || n->kid[i] == n->test));
	}
	visit_list(v, n->list);
}

bool uses_tally(const struct node *n)
{
	if (n->kind == NODE_INCDEC)
		return n->operand->kind == NODE_INDEX;
	return n->kind == NODE_ASSIGN && (n->op == OP_ADD || n->op == OP_SUB) &&
	       n->lhs->kind == NODE_INDEX;
}

/* Returns the use of a place whose new value comes from the old one. */
static unsigned change_use(const struct node *n, bool wanted)
{
	return USE_WRITE | USE_CHANGE | (wanted ? USE_READ : uses_tally(n) ? USE_TALLY : 0);
}

static void visit(struct visit *v, struct node *n, bool wanted)
{
	switch (n->kind) {
	case NODE_NAME:
	case NODE_INDEX:
		visit_place(v, n, USE_READ);
		break;
	case NODE_ASSIGN:
		visit_place(v, n->lhs, n->op == OP_STAT ? USE_ADD
			    : n->op == OP_NONE ? USE_WRITE : change_use(n, wanted));
		visit(v, n->rhs, true);
		break;
	case NODE_INCDEC:
		visit_place(v, n->operand, change_use(n, wanted));
		break;
	case NODE_DELETE:
		visit_place(v, n->operand, USE_WRITE | USE_CHANGE);
		break;
	case NODE_FOREACH:
		visit_foreach(v, n);
		break;
	case NODE_TRY:
		if (n->catch_var)
			visit_place(v, n->catch_var, USE_WRITE);
		visit(v, n->block, false);
		if (n->catch_block)
			visit(v, n->catch_block, false);
		break;
	default:
		visit_children(v, n);
	}
}

void uses_visit(struct node *n, use_fn fn, void *ctx)
{
	struct visit v = { fn, ctx };

	visit(&v, n, n->kind < NODE_BLOCK);
}

/* True: `name` stands in the text behind `prefix`, as a whole word. */
static bool mentions(const char *text, const char *prefix, const char *name)
{
	size_t plen = strlen(prefix), len = strlen(name);

	for (const char *at = text; (at = strstr(at, prefix)); at += plen) {
		const char *end = at + plen + len;

		if (!strncmp(at + plen, name, len) && strspn(end, "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == 0)
			return true;
	}
	return false;
}

void uses_visit_function(const struct program *p, struct function *f, use_fn fn, void *ctx)
{
	if (f->body) {
		uses_visit(f->body, fn, ctx);
		return;
	}
	for (size_t i = 0; i < p->globals.count; i++) {
		struct symbol *sym = p->globals.data[i];

		if (mentions(f->code, "STAP_GLOBAL_GET_", sym->name))
			fn(sym, USE_READ, ctx);
		if (mentions(f->code, "STAP_GLOBAL_SET_", sym->name))
			fn(sym, USE_WRITE, ctx);
	}
}

static void mark(struct symbol *sym, unsigned use, void *ctx)
{
	if (use & (USE_READ | USE_SORT))
		sym->read = true;
	if (use & USE_CHANGE)
		sym->changed = true;
	if (use & USE_ELEMENT)
		sym->indexed = true;
	if (use & (USE_WRITE | USE_ADD)) {
		sym->written = true;
		sym->assigned = true;
	}
}

static void clear(struct symbol **symbols, size_t count)
{
	for (size_t i = 0; i < count; i++)
		symbols[i]->read = symbols[i]->written = symbols[i]->changed =
			symbols[i]->assigned = symbols[i]->indexed = false;
}

void uses_mark(struct session *s)
{
	struct program *p = s->program;

	clear(p->globals.data, p->globals.count);
	for (size_t i = 0; i < p->functions.count; i++) {
		clear(p->functions.data[i]->params.data, p->functions.data[i]->params.count);
		clear(p->functions.data[i]->locals.data, p->functions.data[i]->locals.count);
	}
	for (size_t i = 0; i < p->handlers.count; i++) {
		clear(p->handlers.data[i]->locals.data, p->handlers.data[i]->locals.count);
		clear(p->handlers.data[i]->entry_locals.data,
		      p->handlers.data[i]->entry_locals.count);
	}
	for (size_t i = 0; i < p->functions.count; i++)
		uses_visit_function(p, p->functions.data[i], mark, NULL);
	for (size_t i = 0; i < p->handlers.count; i++) {
		uses_visit(p->handlers.data[i]->body, mark, NULL);
		for (size_t k = 0; k < p->handlers.data[i]->saved.count; k++)
			uses_visit(p->handlers.data[i]->saved.data[k], mark, NULL);
	}
	for (size_t i = 0; i < p->probes.count; i++) {
		if (p->probes.data[i]->condition)
			uses_visit(p->probes.data[i]->condition, mark, NULL);
	}
}
