/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that do nothing are not placed. */
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "opt/opt.h"
#include "probe/probe.h"

static bool is_empty(const struct handler *h)
{
	return h->body->kind == NODE_EMPTY || (h->body->kind == NODE_BLOCK && !h->body->list);
}

/* True: a remaining point has this handler. */
static bool is_placed(const struct program *p, const struct handler *h)
{
	vec_each(&p->probes, i)
		if (p->probes.data[i]->handler == h)
			return true;
	return false;
}

static void drop_handlers(struct program *p)
{
	size_t kept = 0;

	vec_each(&p->handlers, i) {
		if (!is_empty(p->handlers.data[i]) || is_placed(p, p->handlers.data[i]))
			p->handlers.data[kept++] = p->handlers.data[i];
	}
	p->handlers.count = kept;
}

/* True: the handler does nothing at the point, and nothing else reads the point. */
static bool is_idle(const struct derived *d)
{
	return is_empty(d->handler) && !probe_counter(d);
}

/* True: both points come from the same probe of the script. */
static bool is_same_probe(const struct derived *a, const struct derived *b)
{
	const struct loc *x = &a->handler->loc, *y = &b->handler->loc;

	return x->source == y->source && x->begin == y->begin && x->via == y->via;
}

/*
 * Reports points whose handlers do nothing. The points of one probe of the script are
 * adjacent; if only some do nothing, this was intended, by @defined for example.
 */
static void report(struct session *s, const struct derived *const *points, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_idle(points[i]))
			return;
	}
	diag_warning(s, points[0]->handler->loc, "this probe does nothing, and is left out");
}

bool opt_probes(struct session *s)
{
	struct program *p = s->program;
	struct derived **points = p->probes.data;
	size_t kept = 0, count = p->probes.count;

	/* If all points do nothing, the only purpose of the probe is to be hit. */
	for (size_t i = 0; i < count; i++)
		kept += !is_idle(points[i]);
	if (!kept)
		return false;
	kept = 0;

	for (size_t i = 0, first = 0; i < count; i++) {
		if (i + 1 < count && is_same_probe(points[first], points[i + 1]))
			continue;
		report(s, (const struct derived *const *)points + first, i + 1 - first);
		first = i + 1;
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_idle(points[i]))
			points[kept++] = points[i];
	}
	p->probes.count = kept;
	drop_handlers(p);
	return kept != count;
}
