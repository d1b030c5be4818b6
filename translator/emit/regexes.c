/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of regular expressions, each pattern once. They are written ahead of the bodies that use them. */
#include "ast/ast.h"
#include "base/hashmap.h"
#include "base/session.h"
#include "module/module.h"
#include "regex/regex.h"

static const char *regex_key(struct arena *a, const struct node *n)
{
	return arena_printf(a, "%d:%s", n->noted, n->pattern);
}

static int write_regex(struct node *n, void *ctx)
{
	struct emit_module *m = ctx;
	const char *key, *name;

	if (n->kind != NODE_REGEX)
		return 0;
	key = regex_key(m->s->arena, n);
	if (hashmap_get(&m->regexes, key))
		return 0;
	name = arena_printf(m->s->arena, "regex_%zu", m->nregexes++);
	hashmap_put(&m->regexes, key, (void *)name);
	regex_write(m->w, name, n->regex);
	return 0;
}

void emit_regexes(struct emit_module *m)
{
	struct program *p = m->s->program;

	vec_each(&p->functions, i)
		ast_walk(p->functions.data[i]->body, write_regex, NULL, m);
	vec_each(&p->handlers, i) {
		ast_walk(p->handlers.data[i]->body, write_regex, NULL, m);
		vec_each(&p->handlers.data[i]->saved, k)
			ast_walk(p->handlers.data[i]->saved.data[k], write_regex, NULL, m);
	}
	vec_each(&p->probes, i)
		ast_walk(p->probes.data[i]->condition, write_regex, NULL, m);
}

const char *emit_regex(struct emitter *e, const struct node *n)
{
	return hashmap_get(&e->module->regexes, regex_key(e->s->arena, n));
}
