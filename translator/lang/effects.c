/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An effect is any change outside: prints, writes, C that is not `pure`, and calls of
 * functions that do such things. An expression that only may fail has no effect: a value
 * that nobody takes need not be computed.
 */
#include "lang/effects.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"

static bool call_has_effects(const struct node *n)
{
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++)
		if (f->has_effects)
			return true;
	return !n->function;
}

static int find_effect(struct node *n, void *ctx)
{
	switch (n->kind) {
	case NODE_CALL:
		return call_has_effects(n) ? -1 : 0;
	case NODE_PRINT:
		return n->to_string ? 0 : -1;
	case NODE_EMBED:
		return strstr(n->string, "/* pure */") ? 0 : -1;
	case NODE_REGEX: /* matched() and ngroups() show it */
	case NODE_ASSIGN:
	case NODE_INCDEC:
	case NODE_DELETE:
		return -1;
	default:
		return 0;
	}
}

bool effects_in(const struct node *n)
{
	return ast_walk((struct node *)n, find_effect, NULL, NULL) < 0;
}

static bool is_local(const struct node *place)
{
	return place->kind == NODE_NAME && place->symbol && place->symbol->kind != SYMBOL_GLOBAL;
}

/* Finds an effect beyond the function's own variables, which nobody else sees. */
static int find_outer_effect(struct node *n, void *ctx)
{
	if (n->kind == NODE_ASSIGN)
		return is_local(n->lhs) ? 0 : -1;
	if (n->kind == NODE_INCDEC)
		return is_local(n->operand) ? 0 : -1;
	if (n->kind == NODE_FOREACH)
		for (const struct node *key = n->keys; key; key = key->next)
			if (!is_local(key))
				return -1;
	return find_effect(n, ctx);
}

static bool function_has_effects(struct function *f)
{
	if (f->body)
		return ast_walk(f->body, find_outer_effect, NULL, NULL) < 0;
	return !(f->pragmas & PRAGMA_PURE);
}

static int note_match(struct node *n, void *ctx)
{
	if (n->kind == NODE_REGEX)
		n->noted = true;
	return 0;
}

/*
 * Notes calls of matched() and its like: then every =~ has an effect, also before
 * lang/matchop.c has seen it.
 */
static void note_matches(struct session *s)
{
	struct program *p = s->program;

	if (!uses_pragma(p, PRAGMA_TAGGED_DFA))
		return;
	vec_each(&p->functions, i)
		ast_walk(p->functions.data[i]->body, note_match, NULL, NULL);
	vec_each(&p->handlers, i)
		ast_walk(p->handlers.data[i]->body, note_match, NULL, NULL);
}

void effects_mark(struct session *s)
{
	struct program *p = s->program;
	bool changed;

	note_matches(s);
	vec_each(&p->functions, i)
		p->functions.data[i]->has_effects = false;
	do {
		changed = false;
		vec_each(&p->functions, i) {
			struct function *f = p->functions.data[i];

			if (f->has_effects || !function_has_effects(f))
				continue;
			f->has_effects = changed = true;
		}
	} while (changed);
}
