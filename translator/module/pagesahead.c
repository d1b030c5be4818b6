/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of the program that a handler reads after its first lasting effect. A hit that
 * finds a page missing is repeated only as long as it has done nothing that lasts
 * (runtime/kernel/pages.c). So the addresses that are known before are touched there:
 *
 *	calls++                                  touched before this
 *	printf("%s\n", user_string($name))
 *
 * This applies to calls that every hit reaches, and whose address is computed from values
 * of the hit: parameters, registers, locals that do not change. It costs nothing if all
 * reads come first.
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/ops.h"
#include "module/module.h"

struct ahead {
	struct session *s;
	struct handler *h;
	VEC(struct node *) later; /* statements from the first lasting one on */
};

/* ---- lasting effects ---- */

static int find_lasting(struct node *n, void *ctx)
{
	switch (n->kind) {
	case NODE_ASSIGN:
	case NODE_INCDEC:
	case NODE_DELETE:
	case NODE_EMBED:
		return node_ops[n->kind]->effect(n) == EFFECT_OUTSIDE ? -1 : 0;
	default:
		return 0;
	}
}

static bool *mark_lasting(struct function *f)
{
	return &f->lasts;
}

static const struct reading lasting = { .find = find_lasting, .mark = mark_lasting };

/* ---- values that may change before the first effect ---- */

static int find_global(struct node *n, void *ctx)
{
	return n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_GLOBAL ? -1 : 0;
}

static bool *mark_global(struct function *f)
{
	return &f->sees_globals;
}

static const struct reading of_globals = { .find = find_global, .mark = mark_global };

/* ---- functions that read memory at their first argument ---- */

/* True: the C of the function reads memory of the program there. */
static bool code_reads_at(const struct function *f)
{
	static const char *const calls[] = { "STP_USER, ", "_or_zero(CONTEXT, " };

	for (size_t i = 0; f->code && i < sizeof(calls) / sizeof(calls[0]); i++)
		for (const char *at = f->code; (at = strstr(at, calls[i]));) {
			const char *name = f->params.data[0]->name;

			at += strlen(calls[i]);
			if (!strncmp(at, "STAP_ARG_", 9) && !strncmp(at + 9, name, strlen(name)) &&
			    strchr(",)", at[9 + strlen(name)]))
				return true;
		}
	return false;
}

static bool call_reads_at(const struct node *call)
{
	const struct function *f = overload_candidate(call, 0);

	return f && f->reads_at;
}

static int find_wrapped(struct node *n, void *ctx)
{
	const struct symbol *param = ctx;

	return n->kind == NODE_CALL && call_reads_at(n) && n->list->kind == NODE_NAME &&
			       n->list->symbol == param
		       ? -1
		       : 0;
}

static bool reads_at(const struct function *f)
{
	const struct symbol *param = f->params.count ? f->params.data[0] : NULL;

	if (!param || param->type != TYPE_LONG || !f->reads_program)
		return false;
	if (f->code)
		return code_reads_at(f);
	return !param->assigned && ast_walk(f->body, find_wrapped, NULL, (void *)param) < 0;
}

void pagesahead_mark(struct program *p)
{
	bool found = true;

	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];

		f->lasts = f->code && f->has_effects;
		f->sees_globals = f->code && strstr(f->code, "STAP_GLOBAL_");
	}
	readers_mark_callers(&lasting, p);
	readers_mark_callers(&of_globals, p);
	while (found) {
		found = false;
		vec_each(&p->functions, i) {
			struct function *f = p->functions.data[i];

			if (!f->reads_at && reads_at(f))
				f->reads_at = found = true;
		}
	}
}

/* ---- addresses ---- */

struct looked {
	const struct symbol *symbol;
	bool found;
};

static void see_write(struct symbol *sym, unsigned use, void *ctx)
{
	struct looked *l = ctx;

	l->found |= sym == l->symbol && use & ~(unsigned)USE_READ;
}

static bool is_set_in(const struct symbol *symbol, struct node *statement)
{
	struct looked l = { .symbol = symbol };

	uses_visit(statement, see_write, &l);
	return l.found;
}

/* True: the local has the same value at the touch as at the read. */
static bool stays(const struct ahead *a, const struct symbol *symbol)
{
	if (!symbol || symbol->kind == SYMBOL_GLOBAL)
		return false;
	vec_each(&a->later, i)
		if (is_set_in(symbol, a->later.data[i]))
			return false;
	return true;
}

/* Returns the value of a local that is set once after the touch; otherwise returns n. */
static struct node *origin(const struct ahead *a, struct node *n)
{
	struct node *set = NULL;

	if (n->kind != NODE_NAME || n->symbol->kind == SYMBOL_GLOBAL)
		return n;
	vec_each(&a->later, i) {
		if (!is_set_in(n->symbol, a->later.data[i]))
			continue;
		if (set)
			return n;
		set = a->later.data[i];
	}
	if (!set || set->kind != NODE_EXPR || set->operand->kind != NODE_ASSIGN)
		return n;
	set = set->operand;
	return set->op == OP_NONE && set->lhs->kind == NODE_NAME ? set->rhs : n;
}

static int find_changing(struct node *n, void *ctx)
{
	const struct function *f = n->kind == NODE_CALL ? overload_candidate(n, 0) : NULL;

	switch (n->kind) {
	case NODE_NUMBER:
	case NODE_STRING:
	case NODE_UNARY:
	case NODE_BINARY:
		return 0;
	case NODE_TARGET:
		return n->access && !n->access->pretty ? 0 : -1;
	case NODE_NAME:
		return stays(ctx, n->symbol) ? 0 : -1;
	case NODE_CALL:
		return f && !f->has_effects && !f->reads_program && !f->sees_globals ? 0 : -1;
	default:
		return -1;
	}
}

static bool is_noted(const struct ahead *a, const struct node *address)
{
	const char *text = unparse_node(a->s->arena, address);
	bool same = false;

	vec_each(&a->h->ahead, i)
		same |= !strcmp(unparse_node(a->s->arena, a->h->ahead.data[i]), text);
	return same;
}

static int note_address(struct node *n, void *ctx)
{
	struct ahead *a = ctx;
	struct node *address;

	if (n->kind == NODE_TERNARY || n->kind == NODE_LOGICAL)
		return 1; // not every hit evaluates all of it
	if (n->kind != NODE_CALL || !call_reads_at(n))
		return 0;
	address = origin(a, n->list);
	if (!ast_walk(address, find_changing, NULL, a) && !is_noted(a, address))
		vec_push(a->s->arena, &a->h->ahead, address);
	return 0;
}

/* ---- statements ---- */

static int find_leaving(struct node *n, void *ctx)
{
	return n->kind == NODE_NEXT || n->kind == NODE_RETURN ? -1 : 0;
}

/* Notes the memory that each hit reads if it reaches the statement. */
static void see_reads(struct ahead *a, struct node *n)
{
	if (n->kind == NODE_EXPR)
		ast_walk(n->operand, note_address, NULL, a);
	else if (n->kind == NODE_IF)
		ast_walk(n->cond, note_address, NULL, a);
}

/* Returns false if a hit that has passed the touch may end before the next statement. */
static bool see_statement(struct ahead *a, struct node *n)
{
	bool all = true;

	if (n->kind == NODE_BLOCK) {
		for (struct node *item = n->list; item && all; item = item->next)
			all = see_statement(a, item);
		return all;
	}
	if (a->h->lasting) {
		vec_push(a->s->arena, &a->later, n);
		see_reads(a, n);
	} else if (readers_in(&lasting, n)) {
		a->h->lasting = n;
		vec_push(a->s->arena, &a->later, n);
	}
	return !a->h->lasting || ast_walk(n, find_leaving, NULL, NULL) == 0;
}

void pagesahead_plan(struct session *s, struct handler *h)
{
	struct ahead a = { .s = s, .h = h };

	if (h->body)
		see_statement(&a, h->body);
}
