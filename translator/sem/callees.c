/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that a call may reach, and the way from them back to the call. */
#include "ast/ast.h"
#include "ast/program.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "sem/sem.h"
#include "sem/tapset.h"

/*
 * Finds all functions of that name. The user's functions come before the library's in one
 * list, for calls with another number of arguments and for `next`. Calls in the library
 * mean its own functions, unless it allows scripts to replace them.
 */
struct function *sem_find_functions(struct session *s, const char *name, const struct source *from)
{
	struct function *library = tapset_function(s, name), *last;
	bool is_fixed =
		from && from->is_tapset && !(library && library->pragmas & PRAGMA_REPLACEABLE);
	struct function *user = is_fixed ? NULL : hashmap_get(&s->program->function_names, name);

	if (!user)
		return library;
	for (last = user; last->overload && last != library; last = last->overload)
		;
	if (last != library)
		last->overload = library;
	return user;
}

static int add_via(struct node *n, void *ctx)
{
	if (!n->loc.via)
		n->loc.via = n->op_loc.via = ctx;
	return 0;
}

/*
 * Lets errors in a function of the library lead to the call that made it part of the
 * program.
 */
void sem_lead_to_call(struct session *s, struct function *f, struct loc call)
{
	struct loc_via *via = arena_new(s->arena, struct loc_via);

	via->what = arena_printf(s->arena, "in the function '%s()', which is called here", f->name);
	via->at = call;
	ast_walk(f->body, add_via, NULL, via);
}
