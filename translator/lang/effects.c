/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An effect is any change outside: prints, writes, C that is not `pure`, and calls of
 * functions that do such things. An expression that can merely fail has no effect: a
 * value that nobody uses need not be computed.
 */
#include "lang/effects.h"

#include "ast/ast.h"
#include "ast/ops.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/uses.h"

enum effect effects_none(const struct node *n)
{
	return EFFECT_NONE;
}

enum effect effects_outside(const struct node *n)
{
	return EFFECT_OUTSIDE;
}

enum effect effects_of_place(const struct node *place)
{
	bool is_local =
		place->kind == NODE_NAME && place->symbol && place->symbol->kind != SYMBOL_GLOBAL;

	return is_local ? EFFECT_OWN : EFFECT_OUTSIDE;
}

static int find_effect(struct node *n, void *ctx)
{
	const enum effect *least = ctx;

	return node_ops[n->kind]->effect(n) >= *least ? -1 : 0;
}

static bool has_effect(const struct node *n, enum effect least)
{
	return ast_walk((struct node *)n, find_effect, NULL, &least) < 0;
}

bool effects_in(const struct node *n)
{
	return has_effect(n, EFFECT_OWN);
}

static bool function_has_effects(struct function *f)
{
	return f->body ? has_effect(f->body, EFFECT_OUTSIDE) : !(f->pragmas & PRAGMA_PURE);
}

static int note_match(struct node *n, void *ctx)
{
	if (n->kind == NODE_REGEX)
		n->noted = true;
	return 0;
}

/*
 * Notes calls of matched() and similar functions: they give every =~ an effect, even
 * before lang/matchop.c has seen it.
 */
static void note_matches(struct session *s)
{
	struct program *p = s->program;

	if (!uses_pragma(p, PRAGMA_TAGGED_DFA))
		return;
	ast_walk_bodies(p, note_match, NULL, NULL);
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
