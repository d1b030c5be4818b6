/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles symbols of C++ and Rust. Names of C++ are demangled by libstdc++, which
 * exists wherever C++ programs do.
 */
#ifndef LIB_DEMANGLE_H
#define LIB_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct demangler {
	bool is_asked;
	char *(*cplus)(const char *symbol, char *room, size_t *len, int *status); /* or NULL */
};

/*
 * Loads libstdc++ if there is one. The other functions do this at the first symbol of
 * C++, if it has not been done.
 */
void demangle_load(struct demangler *d);
/* True for "_Z…" and "_R…". */
bool demangle_is_mangled(const char *symbol);
/* Demangles a symbol, with its parameters, if any. NULL: it is not mangled. */
const char *demangle_symbol(struct demangler *d, struct arena *a, const char *symbol);
/* The same for symbols of C++ alone. */
const char *demangle_cplus(struct demangler *d, struct arena *a, const char *symbol);
/* Returns the name by which stacks show a symbol: without parameters. */
const char *demangle_shown(struct demangler *d, struct arena *a, const char *symbol);

#endif
