/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Overloads. The number of arguments decides which of them a call can reach. If there are
 * several, one that ends with `next` passes the call on to the following one, by priority
 * and then by place.
 */
#include <string.h>

#include "ast/ast.h"
#include "lang/ops.h"

static bool precedes(const struct function *f, const struct function *g, bool f_is_earlier)
{
	return f->priority < g->priority || (f->priority == g->priority && f_is_earlier);
}

bool overload_is_visible(const struct function *f, const struct source *from)
{
	return !f->is_private || f->source == from;
}

static bool takes(const struct function *f, const struct node *call)
{
	return f->params.count == node_count(call->list) &&
	       overload_is_visible(f, call->loc.source);
}

static unsigned rank(const struct node *call, const struct function *f)
{
	unsigned before = 0;
	bool earlier = true;

	for (const struct function *g = call->function; g; g = g->overload) {
		if (g == f)
			earlier = false;
		else if (takes(g, call) && precedes(g, f, earlier))
			before++;
	}
	return before;
}

struct function *overload_candidate(const struct node *call, unsigned i)
{
	for (struct function *f = call->function; f; f = f->overload) {
		if (takes(f, call) && rank(call, f) == i)
			return f;
	}
	return NULL;
}

static int find_next(struct node *n, void *ctx)
{
	return n->kind == NODE_NEXT ? -1 : 0;
}

bool overload_may_pass(const struct function *f)
{
	return f->body ? ast_walk(f->body, find_next, NULL, NULL) < 0
		       : strstr(f->code, "STAP_NEXT") != NULL;
}

static int find_value(struct node *n, void *ctx)
{
	return n->kind == NODE_RETURN && n->operand ? -1 : 0;
}

bool overload_gives_value(const struct function *f)
{
	return f->type != TYPE_UNKNOWN ||
	       (f->body && ast_walk(f->body, find_value, NULL, NULL) < 0);
}
