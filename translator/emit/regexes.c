/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of regular expressions, each pattern once.
 * They are written before the bodies that use them.
 */
#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "emit/linkparts.h"
#include "emit/tables.h"
#include "lib/hashmap.h"
#include "regex/regex.h"

static const char *regex_key(struct arena *a, const struct node *n)
{
	return arena_printf(a, "%d:%s", n->noted, n->pattern);
}

struct writing {
	struct emit_tables *t;
	struct writer *w;
};

static int write_regex(struct node *n, void *ctx)
{
	struct writing *writing = ctx;
	struct emit_tables *t = writing->t;
	const char *key, *name;

	if (n->kind != NODE_REGEX)
		return 0;
	key = regex_key(t->s->arena, n);
	if (hashmap_get(&t->regexes, key))
		return 0;
	name = arena_printf(t->s->arena, "regex_%zu", t->nregexes++);
	hashmap_put(&t->regexes, key, (void *)name);
	regex_write(writing->w, name, n->regex);
	linkparts_need(t->s, PART_REGEX);
	return 0;
}

void emit_write_regexes(struct emit_tables *t, const struct program *p, struct writer *w)
{
	struct writing writing = { t, w };

	vec_each(&p->functions, i)
		ast_walk(p->functions.data[i]->body, write_regex, NULL, &writing);
	vec_each(&p->handlers, i) {
		ast_walk(p->handlers.data[i]->body, write_regex, NULL, &writing);
		vec_each(&p->handlers.data[i]->saved, k)
			ast_walk(p->handlers.data[i]->saved.data[k], write_regex, NULL, &writing);
	}
	vec_each(&p->probes, i)
		ast_walk(p->probes.data[i]->condition, write_regex, NULL, &writing);
}

const char *emit_regex(struct emitter *e, const struct node *n)
{
	return hashmap_get(&e->tables->regexes, regex_key(e->s->arena, n));
}
