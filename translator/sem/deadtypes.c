/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types that come only from dropped code, as in "if (0) seen[1] = 2; delete seen".
 * Dropped code is used when all other code has been inferred; its errors do not count.
 */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/lang.h"
#include "lib/arena.h"
#include "sem/sem.h"

static bool is_open(const struct symbol *sym)
{
	if (sym->arity < 0 || sym->type == TYPE_UNKNOWN)
		return true;
	for (int i = 0; i < sym->arity; i++)
		if (sym->key_types[i] == TYPE_UNKNOWN)
			return true;
	return false;
}

static bool has_open(const struct program *p)
{
	vec_each(&p->globals, i)
		if (is_open(p->globals.data[i]))
			return true;
	return false;
}

struct scope {
	struct session *s;
	struct hashmap locals;
};

static struct symbol *local_of(struct scope *sc, const struct node *n)
{
	struct symbol *sym = hashmap_get(&sc->locals, n->name);

	if (sym)
		return sym;
	sym = arena_new(sc->s->arena, struct symbol);
	sym->kind = SYMBOL_LOCAL;
	sym->name = sym->c_name = n->name;
	sym->loc = sym->type_loc = n->loc;
	hashmap_put(&sc->locals, n->name, sym);
	return sym;
}

/*
 * Binds code that was dropped before names were bound. This does not mark anything as
 * used.
 */
static int bind_node(struct node *n, void *ctx)
{
	struct scope *sc = ctx;

	if (n->kind == NODE_NAME && !n->symbol) {
		struct symbol *sym = hashmap_get(&sc->s->program->global_names, n->name);

		if (sym && source_is_library(sym->loc) != source_is_library(n->loc))
			sym = NULL;
		n->symbol = sym ? sym : local_of(sc, n);
	} else if (n->kind == NODE_CALL && !n->function) {
		n->function = sem_find_functions(sc->s, n->name, n->loc.source);
	}
	return 0;
}

static void bind_dropped(struct session *s)
{
	vec_each(&s->program->dropped, i) {
		struct scope sc = { .s = s };

		hashmap_init(&sc.locals, s->arena);
		ast_walk(s->program->dropped.data[i], bind_node, NULL, &sc);
	}
}

bool deadtypes_learn(struct infer *in)
{
	struct program *p = in->s->program;
	struct infer dead = {
		.s = in->s, .reported = in->reported, .unassigned = in->unassigned, .silent = true
	};
	size_t count = p->dropped.count; /* folding may add to them in the meantime */
	bool learnt = false;

	if (!count || !has_open(p))
		return false;
	bind_dropped(in->s);
	do {
		dead.changed = false;
		for (size_t i = 0; i < count; i++)
			lang_infer(&dead, p->dropped.data[i], TYPE_UNKNOWN);
		learnt |= dead.changed;
	} while (dead.changed);
	return learnt;
}
