/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions and probes that read something, in their bodies or through calls.
 */
#include "ast/ast.h"
#include "lang/ops.h"
#include "module/module.h"

static int find(struct node *n, void *ctx)
{
	const struct reading *r = ctx;
	struct function *f;

	if (r->find && r->find(n, r->ctx) < 0)
		return -1;
	for (unsigned i = 0; n->kind == NODE_CALL && (f = overload_candidate(n, i)); i++)
		if (*r->mark(f) && !(r->spares && r->spares(f, n, r->ctx)))
			return -1;
	return 0;
}

bool readers_in(const struct reading *r, struct node *body)
{
	return body && ast_walk(body, find, NULL, (void *)r) < 0;
}

bool readers_at_entry(const struct reading *r, const struct derived *d)
{
	vec_each(&d->handler->saved, i)
		if (readers_in(r, d->handler->saved.data[i]))
			return true;
	return readers_in(r, d->condition);
}

bool readers_of_probe(const struct reading *r, const struct derived *d)
{
	return readers_in(r, d->handler->body) || readers_at_entry(r, d);
}

void readers_mark_callers(const struct reading *r, struct program *p)
{
	bool found = true;

	while (found) {
		found = false;
		vec_each(&p->functions, i) {
			struct function *f = p->functions.data[i];

			if (*r->mark(f) || !readers_in(r, f->body))
				continue;
			*r->mark(f) = found = true;
		}
	}
}
