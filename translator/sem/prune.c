/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/prune.h"

#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "lib/hashmap.h"
#include "sem/sem.h"
#include "sem/tapset.h"

/* Returns the name in `name = …` if that is a whole statement. */
static struct node *assigned_name(const struct node *n)
{
	const struct node *e = n->kind == NODE_EXPR ? n->operand : NULL;

	return e && e->kind == NODE_ASSIGN && e->op == OP_NONE && e->lhs->kind == NODE_NAME ? e->lhs
											    : NULL;
}

struct reads {
	struct hashmap names;
	const struct node *target; /* the assigned name of the current statement */
	/* names in the script's own text that do not mean the library's variables */
	struct hashmap own;
};

static int note_read(struct node *n, void *ctx)
{
	struct reads *r = ctx;

	if (assigned_name(n))
		r->target = assigned_name(n);
	if (n->kind == NODE_NAME && n != r->target &&
	    !((!n->loc.source || !n->loc.source->is_tapset) && hashmap_get(&r->own, n->name)))
		hashmap_put(&r->names, n->name, n);
	return 0;
}

static bool is_unread(struct session *s, const struct node *n, const struct reads *r)
{
	const struct node *name = assigned_name(n);

	return name && source_is_library(name->loc) && !hashmap_get(&r->names, name->name) &&
	       !tapset_has_global(s, name->name, name->loc.source);
}

struct removal {
	struct session *session;
	const struct reads *reads;
	bool changed;
};

static int remove_unread(struct node *n, void *ctx)
{
	struct removal *rm = ctx;

	if (n->kind != NODE_BLOCK)
		return 0;
	for (struct node **at = &n->list; *at;) {
		if (is_unread(rm->session, *at, rm->reads)) {
			*at = (*at)->next;
			rm->changed = true;
		} else {
			at = &(*at)->next;
		}
	}
	return 0;
}

void prune_unread(struct session *s, struct node *body)
{
	struct removal rm;

	do {
		struct reads reads = { 0 };

		hashmap_init(&reads.names, s->arena);
		sem_own_names(s, body, &reads.own);
		ast_walk(body, note_read, NULL, &reads);
		rm = (struct removal){ .session = s, .reads = &reads };
		ast_walk(body, remove_unread, NULL, &rm);
	} while (rm.changed);
}
