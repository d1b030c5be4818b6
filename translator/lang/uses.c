/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/uses.h"

#include <string.h>

#include "ast/ops.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"

void uses_value(struct uses *u, struct node *n)
{
	if (n)
		node_ops[n->kind]->uses(u, n, true);
}

void uses_effect(struct uses *u, struct node *n)
{
	if (n)
		node_ops[n->kind]->uses(u, n, false);
}

void uses_list(struct uses *u, struct node *list)
{
	for (; list; list = list->next)
		uses_value(u, list);
}

void uses_place(struct uses *u, struct node *n, unsigned use)
{
	struct node *name = n->kind == NODE_INDEX ? n->base : n;

	if (n->kind == NODE_INDEX) {
		uses_list(u, n->list);
		use |= USE_ELEMENT;
	}
	if (name->kind != NODE_NAME)
		uses_value(u, name);
	else if (name->symbol)
		u->fn(name->symbol, use, u->ctx);
}

void uses_children(struct uses *u, struct node *n, bool wanted)
{
	for (unsigned i = 0; i < 4; i++)
		uses_value(u, n->kid[i]);
	uses_list(u, n->list);
}

void uses_visit(struct node *n, use_fn fn, void *ctx)
{
	struct uses u = { fn, ctx };

	if (n->kind < NODE_BLOCK)
		uses_value(&u, n);
	else
		uses_effect(&u, n);
}

bool uses_pragma(const struct program *p, unsigned pragma)
{
	vec_each(&p->functions, i)
		if (p->functions.data[i]->pragmas & pragma)
			return true;
	return false;
}

/* True: the text contains `name` after `prefix`, as a whole word. */
static bool mentions(const char *text, const char *prefix, const char *name)
{
	size_t plen = strlen(prefix), len = strlen(name);

	for (const char *at = text; (at = strstr(at, prefix)); at += plen) {
		const char *end = at + plen + len;

		if (!strncmp(at + plen, name, len) &&
		    strspn(end, "abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == 0)
			return true;
	}
	return false;
}

void uses_visit_code(const char *code, struct symbol *sym, use_fn fn, void *ctx)
{
	if (mentions(code, "STAP_GLOBAL_GET_", sym->name))
		fn(sym, USE_READ, ctx);
	if (mentions(code, "STAP_GLOBAL_SET_", sym->name))
		fn(sym, USE_WRITE, ctx);
}

void uses_visit_function(const struct program *p, struct function *f, use_fn fn, void *ctx)
{
	if (f->body) {
		uses_visit(f->body, fn, ctx);
		return;
	}
	for (size_t i = 0; i < p->globals.count; i++)
		uses_visit_code(f->code, p->globals.data[i], fn, ctx);
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
