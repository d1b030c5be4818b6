/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops functions and globals that no probe reaches any more. Functions are dropped only
 * when they have their types: an error in one whose calls have no effect is still an
 * error.
 */
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "opt/opt.h"

static void reach(struct node *body);

static int reach_call(struct node *n, void *ctx)
{
	struct function *f;

	if (n->kind != NODE_CALL)
		return 0;
	for (unsigned i = 0; (f = overload_candidate(n, i)); i++) {
		if (!f->used) {
			f->used = true;
			if (f->body)
				reach(f->body);
		}
		if (!overload_may_pass(f))
			break;
	}
	return 0;
}

static void reach(struct node *body)
{
	ast_walk(body, reach_call, NULL, NULL);
}

static void mark_functions(struct program *p)
{
	vec_each(&p->functions, i)
		p->functions.data[i]->used = false;
	vec_each(&p->handlers, i) {
		reach(p->handlers.data[i]->body);
		vec_each(&p->handlers.data[i]->saved, k)
			reach(p->handlers.data[i]->saved.data[k]);
	}
	vec_each(&p->probes, i) {
		if (p->probes.data[i]->condition)
			reach(p->probes.data[i]->condition);
	}
}

static bool drop_functions(struct program *p)
{
	size_t kept = 0, count = p->functions.count;

	mark_functions(p);
	for (size_t i = 0; i < count; i++) {
		if (p->functions.data[i]->used)
			p->functions.data[kept++] = p->functions.data[i];
	}
	p->functions.count = kept;
	return kept != count;
}

static bool drop_globals(struct program *p)
{
	size_t kept = 0, count = p->globals.count;

	for (size_t i = 0; i < count; i++) {
		if (p->globals.data[i]->read || p->globals.data[i]->written)
			p->globals.data[kept++] = p->globals.data[i];
	}
	p->globals.count = kept;
	return kept != count;
}

bool opt_globals(struct session *s)
{
	mark_functions(s->program);
	uses_mark(s);
	return drop_globals(s->program);
}

bool opt_unused(struct session *s)
{
	bool changed = drop_functions(s->program);

	uses_mark(s);
	return drop_globals(s->program) || changed;
}
