/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See demangle.h. */
#include "lib/demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/arena.h"
#include "lib/plainname.h"
#include "lib/rustname.h"

#define THUNK "thunk to "

/* A program without a dynamic linker cannot load the library. */
void demangle_load(struct demangler *d)
{
	void *library = getauxval(AT_BASE) ? dlopen("libstdc++.so.6", RTLD_NOW) : NULL;

	d->is_asked = true;
	*(void **)&d->cplus = library ? dlsym(library, "__cxa_demangle") : NULL;
}

bool demangle_is_mangled(const char *symbol)
{
	return !strncmp(symbol, "_Z", 2) || !strncmp(symbol, "_R", 2);
}

const char *demangle_cplus(struct demangler *d, struct arena *a, const char *symbol)
{
	const char *copy;
	char *text;

	if (strncmp(symbol, "_Z", 2))
		return NULL;
	if (!d->is_asked)
		demangle_load(d);
	text = d->cplus ? d->cplus(symbol, NULL, NULL, NULL) : NULL;
	copy = text ? arena_strdup(a, text) : NULL;
	free(text);
	return copy;
}

const char *demangle_symbol(struct demangler *d, struct arena *a, const char *symbol)
{
	char text[RUSTNAME_SIZE];

	if (!demangle_is_mangled(symbol))
		return NULL;
	/* Rust's older mangling is also valid C++. */
	return rustname_demangle(symbol, text) ? arena_strdup(a, text)
					       : demangle_cplus(d, a, symbol);
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
		return plainname_of(a, text);
	if (!thunk)
		return text;
	thunk += strlen(THUNK);
	return arena_printf(a, "%.*s%s", (int)(thunk - text), text, plainname_of(a, thunk));
}

const char *demangle_shown(struct demangler *d, struct arena *a, const char *symbol)
{
	char text[RUSTNAME_SIZE];
	const char *name;

	if (!demangle_is_mangled(symbol))
		return symbol;
	if (rustname_demangle(symbol, text))
		return arena_strdup(a, text);
	name = demangle_cplus(d, a, symbol);
	return name ? without_parameters(a, symbol, name) : symbol;
}
