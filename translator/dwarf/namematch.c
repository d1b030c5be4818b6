/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/namematch.h"

#include <string.h>

#include "base/session.h"
#include "dwarf/index.h"
#include "program/cplus.h"

/* True: the scope has a function with such a name. */
static bool any_named(struct session *s, const struct dwarf_index *x, const char *scope,
		      const char *text, size_t len)
{
	size_t begin, end;

	index_range(x, text, len, &begin, &end);
	for (; begin < end; begin++)
		if (cplus_scope_matches(s->arena, scope, index_text(x, x->copies[begin].scope)))
			return true;
	return false;
}

void namematch_make(struct session *s, const struct dwarf_index *x, const struct dwarf_pattern *p,
		    struct name_match *ret)
{
	const char *template = arena_printf(s->arena, "%s<", p->function);

	*ret = (struct name_match){ .arena = s->arena,
				    .function = glob_make(p->function),
				    .scope = p->scope };
	if (!ret->function.literal ||
	    any_named(s, x, p->scope, p->function, strlen(p->function) + 1))
		return;
	if (strchr(p->function, '<')) {
		ret->exact = cplus_without_blanks(s->arena, p->function);
		ret->function = glob_make(arena_printf(
			s->arena, "%.*s*", (int)strcspn(p->function, "<") + 1, p->function));
	} else if (any_named(s, x, p->scope, template, strlen(template)))
		ret->function = glob_make(arena_printf(s->arena, "%s*", template));
}

bool namematch_fits(const struct name_match *m, const char *scope, const char *function)
{
	if (m->exact && strcmp(m->exact, cplus_without_blanks(m->arena, function)))
		return false;
	return glob_match(&m->function, function) && cplus_scope_matches(m->arena, m->scope, scope);
}
