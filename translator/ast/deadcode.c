/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/deadcode.h"

#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"

void deadcode_note(struct session *s, struct node *n)
{
	if (n)
		vec_push(s->arena, &s->program->dropped, n);
}

void deadcode_note_copy(struct session *s, const struct node *n)
{
	struct node *copy = arena_new(s->arena, struct node);

	*copy = *n;
	copy->next = NULL;
	deadcode_note(s, copy);
}
