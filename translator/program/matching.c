/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches functions by symbol, in C, C++ and Rust. */
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/glob.h"
#include "program/cplus.h"
#include "program/cplusparams.h"
#include "program/executable.h"
#include "program/symbolname.h"

struct matching {
	struct session *s;
	struct glob plain;	 /* the pattern as written */
	struct cplus_name parts; /* the same, split into parts */
	struct glob function;	 /* … its function, */
	struct glob template;	 /* … and instances of a template of that name */
};

/*
 * True for a function itself; false for a jump to a virtual function, and for the part of
 * a function that a compiler has moved elsewhere.
 */
static bool is_function(const char *symbol, const char *text)
{
	return !strstr(text, "thunk to ") && !strstr(symbol, ".cold");
}

/* Returns the name of the symbol that matches the pattern; NULL: none does. */
static const char *name_of(const struct matching *m, const char *symbol)
{
	bool is_mangled = symbolname_is_mangled(m->plain.pattern);
	const char *text = is_mangled ? NULL : symbolname_demangle(m->s, symbol);
	struct cplus_name its;

	/* A part must be named, at least by its suffix: patterns mean whole functions. */
	if (glob_is(m->plain.pattern) && !strstr(m->plain.pattern, ".cold") &&
	    !is_function(symbol, text ? text : symbol))
		return NULL;
	if (!text || glob_match(&m->plain, symbol))
		return glob_match(&m->plain, symbol) && (!text || is_function(symbol, text))
			       ? symbol
			       : NULL;
	its = cplus_split(m->s->arena, text);
	if (!is_function(symbol, text) ||
	    !(glob_match(&m->function, its.function) || glob_match(&m->template, its.function)) ||
	    !cplus_scope_matches(m->s->arena, m->parts.scope, its.scope ? its.scope : "") ||
	    !cplusparams_match(m->s->arena, m->parts.parameters, its.parameters))
		return NULL;
	return arena_printf(m->s->arena, "%s%s%s%s", its.scope ? its.scope : "",
			    its.scope ? "::" : "", its.function,
			    its.parameters ? its.parameters : "");
}

static int by_address(const void *a, const void *b)
{
	const struct executable_found *x = a, *y = b;
	size_t x_score = strspn(x->name, "_"), y_score = strspn(y->name, "_");

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x_score != y_score ? (x_score < y_score ? -1 : 1) : strcmp(x->name, y->name);
}

void matching_functions(struct session *s, const struct executable *p, const char *pattern,
			bool only_exported, executable_matches *ret)
{
	struct matching m = { .s = s,
			      .plain = glob_make(pattern),
			      .parts = cplus_split(s->arena, pattern) };
	size_t kept = 0;

	m.function = glob_make(m.parts.function);
	m.template = glob_make(arena_printf(s->arena, "%s<*", m.parts.function));
	vec_each(&p->symbols, i) {
		const struct executable_symbol *sym = &p->symbols.data[i];
		struct executable_found one = { .address = sym->address,
						.resolver_size = sym->resolver_size };

		if (only_exported && !sym->is_exported)
			continue;
		one.name = name_of(&m, sym->name);
		if (one.name)
			vec_push(s->arena, ret, one);
	}
	if (!ret->count)
		return;
	vec_sort(ret, by_address);
	vec_each(ret, i) /* a constructor has two symbols with one name */
		if (!i || by_address(&ret->data[kept - 1], &ret->data[i]))
			ret->data[kept++] = ret->data[i];
	ret->count = kept;
}
