/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/placetext.h"

#include "ast/program.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"

const char *placetext(struct session *s, const char *name, const char *used_at)
{
	const struct program *p = s->program;
	struct arena *a = s->arena;

	vec_each(&p->handlers, i)
		if (!strcmp(name, arena_printf(a, "handler_%u", p->handlers.data[i]->index)))
			return source_loc_str(a, p->handlers.data[i]->loc);
	vec_each(&p->functions, i)
		if (!p->functions.data[i]->source->is_tapset &&
		    !strcmp(name, arena_printf(a, "f_%s", p->functions.data[i]->c_name)))
			return source_loc_str(a, p->functions.data[i]->loc);
	return used_at;
}
