/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/savedroom.h"

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"

struct dropping {
	const struct handler *handler;
	size_t slot;
};

static int show_unknown(struct node *n, void *ctx)
{
	const struct dropping *d = ctx;

	if (n->kind != NODE_ENTRY || n->entry_of != d->handler || n->operand || n->slot != d->slot)
		return 0;
	*n = (struct node){ .kind = NODE_STRING,
			    .type = TYPE_STRING,
			    .loc = n->loc,
			    .next = n->next,
			    .string = "?",
			    .string_len = 1 };
	return 1;
}

static void drop(struct session *s, struct handler *h, size_t slot)
{
	struct dropping d = { h, slot };
	struct node *nothing = node_new(s->arena, NODE_NUMBER, h->saved.data[slot]->loc);

	nothing->type = TYPE_LONG;
	h->saved.data[slot] = nothing;
	ast_walk(h->body, show_unknown, NULL, &d);
	vec_each(&h->clones, i)
		ast_walk(h->clones.data[i]->body, show_unknown, NULL, &d);
}

static bool may_drop(const struct node *n)
{
	return n->kind == NODE_TARGET && n->type == TYPE_STRING && n->access &&
	       n->access->in_summary;
}

static void fit(struct session *s, struct handler *h)
{
	unsigned dropped = 0;

	for (size_t i = h->saved.count; i > 0; i--) {
		if (emit_saved_place(s, h, h->saved.count) <= EMIT_SAVED_BYTES / 8)
			break;
		if (!may_drop(h->saved.data[i - 1]))
			continue;
		drop(s, h, i - 1);
		dropped++;
	}
	if (dropped)
		diag_taken(
			s, h->loc,
			"%u parameter%s of %s %s shown as ?: %u bytes can be saved at entry, and "
			"each takes MAXSTRINGLEN; a smaller -DMAXSTRINGLEN=N leaves room for more",
			dropped, dropped == 1 ? "" : "s", h->point ? h->point->pp : "the function",
			dropped == 1 ? "is" : "are", EMIT_SAVED_BYTES);
}

void savedroom_fit(struct session *s)
{
	vec_each(&s->program->handlers, i)
		fit(s, s->program->handlers.data[i]);
}
