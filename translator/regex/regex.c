/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "regex/regex.h"

#include "core/regex.h"
#include "lib/arena.h"
#include "regex/elements.h"
#include "regex/tree.h"

static bool make_automata(const struct machine *m, bool groups, struct stp_regex *r)
{
	struct automaton_use forwards = { .anywhere = true }, longest = { 0 };
	struct automaton_use leftmost = { .backwards = true, .anywhere = true },
			     path = { .backwards = true };
	uint8_t *leads;

	if (!groups)
		return automaton_make(m, forwards, &r->test, NULL);
	if (!automaton_make(m, leftmost, &r->first, NULL) ||
	    !automaton_make(m, longest, &r->last, NULL))
		return false;
	if (r->ngroups == 1)
		return true;
	if (!automaton_make(m, path, &r->path, &leads))
		return false;
	r->leads = leads;
	r->arcs = m->arcs.data;
	r->arcs_of = m->arcs_of.data;
	r->boundaries = m->boundaries.data;
	return true;
}

const struct stp_regex *regex_compile(struct arena *a, const char *pattern, size_t len, bool groups,
				      struct regex_error *ret_error)
{
	struct stp_regex *r = arena_new(a, struct stp_regex);
	struct machine *m = arena_new(a, struct machine);
	unsigned ngroups;
	struct tree *t = syntax_parse(a, pattern, len, &ngroups, ret_error);

	if (!t || !elements_make(m, a, t, groups, ret_error))
		return NULL;
	r->classes = m->classes;
	r->nclasses = (uint16_t)m->nclasses;
	r->ngroups = (uint16_t)ngroups;
	r->nelements = m->nelements;
	if (make_automata(m, groups, r))
		return r;
	*ret_error = (struct regex_error){ "matching this would need too large a table; "
					   "repeat less, or be more precise about the text "
					   "before the repetition",
					   0, len };
	return NULL;
}
