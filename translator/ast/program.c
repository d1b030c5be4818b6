/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/program.h"

#include "lib/arena.h"

struct program *program_create(struct arena *a)
{
	struct program *p = arena_new(a, struct program);

	hashmap_init(&p->function_names, a);
	hashmap_init(&p->global_names, a);
	hashmap_init(&p->unknown_functions, a);
	hashmap_init(&p->reported, a);
	return p;
}
