/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the functions and probes that read something, by their bodies and by calls. */
#include "ast/ast.h"
#include "module/module.h"

bool reading_in(const struct reading *r, struct node *body)
{
	return body && ast_walk(body, r->find, NULL, r->ctx) < 0;
}

bool reading_of_probe(const struct reading *r, const struct derived *d)
{
	if (reading_in(r, d->handler->body) || reading_in(r, d->condition))
		return true;
	vec_each(&d->handler->saved, i)
		if (reading_in(r, d->handler->saved.data[i]))
			return true;
	return false;
}

void reading_mark_callers(const struct reading *r, struct program *p)
{
	bool found = true;

	while (found) {
		found = false;
		vec_each(&p->functions, i) {
			struct function *f = p->functions.data[i];

			if (*r->mark(f) || !reading_in(r, f->body))
				continue;
			*r->mark(f) = found = true;
		}
	}
}
