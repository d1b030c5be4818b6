/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits and compares names of C++: "geo::Box<int>::grow(int)". Debuginfo has the parts
 * of a name, symbol tables have it mangled.
 */
#ifndef STAP_CPLUS_H
#define STAP_CPLUS_H

#include <stdbool.h>

struct arena;
struct session;

struct cplus_name {
	const char *scope;	/* "geo::Box<int>"; NULL: no scope is written */
	const char *function;	/* "grow" */
	const char *parameters; /* "(int)", or NULL */
};

/*
 * Splits a name. The type of the result, which precedes names of templates, is dropped.
 * Names of Rust are split as well: "r::generic::<u64>" has the function "generic<u64>",
 * as debuginfo calls it, "<r::A>::create" the scope "r::A", and "<r::A as
 * r::Handler>::handle" the scope "<r::A as r::Handler>".
 */
struct cplus_name cplus_split(struct arena *a, const char *text);

/*
 * Returns whether the scope matches the pattern. Both are compared from the right, part
 * by part, each with wildcards: "Box<int>" and "Bo*" match "geo::Box<int>", as does
 * "Box". A leading "::" means the outermost scope. Unnamed namespaces may be left out.
 * NULL matches all.
 */
bool cplus_scope_matches(struct arena *a, const char *pattern, const char *scope);
/*
 * Returns as many parts of the scope, from the right, as the pattern has, with a leading
 * "::" if the pattern has one.
 */
const char *cplus_scope_as_asked(struct arena *a, const char *pattern, const char *scope);
/* Returns "scale<int,3>" for "scale<int, 3>". */
const char *cplus_without_blanks(struct arena *a, const char *name);

/*
 * Demangles a symbol of C++. NULL: it is not mangled, or this system lacks
 * libstdc++.so.6.
 */
const char *cplus_demangle(struct session *s, const char *symbol);

#endif
