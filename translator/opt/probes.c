/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that do nothing are not placed. */
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "opt/opt.h"

static bool is_empty(const struct handler *h)
{
	return h->body->kind == NODE_EMPTY || (h->body->kind == NODE_BLOCK && !h->body->list);
}

static void drop_handlers(struct program *p)
{
	size_t kept = 0;

	vec_each(&p->handlers, i) {
		if (!is_empty(p->handlers.data[i]))
			p->handlers.data[kept++] = p->handlers.data[i];
	}
	p->handlers.count = kept;
}

bool opt_probes(struct session *s)
{
	struct program *p = s->program;
	size_t kept = 0, count = p->probes.count;

	for (size_t i = 0; i < count; i++) {
		struct derived *d = p->probes.data[i];

		if (!is_empty(d->handler)) {
			p->probes.data[kept++] = d;
			continue;
		}
		diag_warning(s, d->handler->loc, "this probe does nothing, and is left out");
	}
	p->probes.count = kept;
	drop_handlers(p);
	return kept != count;
}
