/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++: "geo::Box<int>::grow(int)" taken apart and
 * compared. Debuginfo has its parts, symbol tables have it mangled.
 */
#ifndef STAP_CPLUS_H
#define STAP_CPLUS_H

#include <stdbool.h>

struct arena;
struct session;

struct cplus_name {
	const char *scope;      /* "geo::Box<int>"; NULL: none is written */
	const char *function;   /* "grow" */
	const char *parameters; /* "(int)", or NULL */
};

/* The type of a result, as it stands before names of templates, is dropped. */
struct cplus_name cplus_split(struct arena *a, const char *text);

/*
 * Is the scope what the pattern says? Both are compared from the right, part by part,
 * each with wildcards: "Box<int>" and "Bo*" match "geo::Box<int>", as does "Box". A "::"
 * in front stands for the outermost scope. Namespaces without a name need not be written.
 * NULL matches all.
 */
bool cplus_scope_matches(struct arena *a, const char *pattern, const char *scope);
/*
 * As many parts of the scope, from the right, as the pattern
 * has; the pattern's "::" in front stands there, too.
 */
const char *cplus_scope_as_asked(struct arena *a, const char *pattern, const char *scope);
/* Parameters, blanks aside. NULL matches all. */
bool cplus_parameters_match(const char *pattern, const char *parameters);

/*
 * What a symbol of C++ stands for; NULL: it is none,
 * or this system has no libstdc++.so.6 to tell.
 */
const char *cplus_demangle(struct session *s, const char *symbol);

#endif
