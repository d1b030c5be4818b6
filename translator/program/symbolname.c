/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symbolname.h. */
#include "program/symbolname.h"

#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "program/cplus.h"
#include "program/rustname.h"

#define THUNK "thunk to "

bool symbolname_is_mangled(const char *symbol)
{
	return !strncmp(symbol, "_Z", 2) || !strncmp(symbol, "_R", 2);
}

bool symbolname_can_demangle(const struct session *s)
{
	return !s->demangler_asked || s->demangler;
}

const char *symbolname_demangle(struct session *s, const char *symbol)
{
	char text[RUSTNAME_SIZE];

	if (!symbolname_is_mangled(symbol))
		return NULL;
	/* Rust's older mangling is also valid C++. */
	if (rustname_demangle(symbol, text))
		return arena_strdup(s->arena, text);
	return cplus_demangle(s, symbol);
}

/*
 * Removes the parameters from a C++ name. Symbols that compilers make for a type or a
 * variable, such as "vtable for T", have none; a jump to a virtual function has those of
 * the function.
 */
static const char *without_parameters(struct arena *a, const char *symbol, const char *text)
{
	const char *thunk = strstr(text, THUNK);

	if (strncmp(symbol, "_ZT", 3) && strncmp(symbol, "_ZG", 3))
		return cplus_plain(a, text);
	if (!thunk)
		return text;
	thunk += strlen(THUNK);
	return arena_printf(a, "%.*s%s", (int)(thunk - text), text, cplus_plain(a, thunk));
}

const char *symbolname_shown(struct session *s, const char *symbol)
{
	char text[RUSTNAME_SIZE];
	const char *name;

	if (s->options->no_demangle || !symbolname_is_mangled(symbol))
		return symbol;
	if (rustname_demangle(symbol, text))
		return arena_strdup(s->arena, text);
	name = cplus_demangle(s, symbol);
	return name ? without_parameters(s->arena, symbol, name) : symbol;
}
