/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/dropped.h"

#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"

void dropped_note(struct session *s, struct node *n)
{
	if (n)
		vec_push(s->arena, &s->program->dropped, n);
}

void dropped_note_copy(struct session *s, const struct node *n)
{
	struct node *copy = arena_new(s->arena, struct node);

	*copy = *n;
	copy->next = NULL;
	dropped_note(s, copy);
}
