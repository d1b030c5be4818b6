/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros: token lists with a name. */
#ifndef STAP_MACRO_H
#define STAP_MACRO_H

#include <stdbool.h>

#include "base/source.h"
#include "lib/vec.h"

struct session;
struct token;

struct macro {
	const char *name;
	struct loc loc;
	bool has_params;
	VEC(const char *) params;
	const struct token *body, *body_end;
};

struct macro_list {
	struct macro *data;
	size_t count, capacity;
};

struct macros {
	struct macro_list list;
	/*
	 * for the library: names of all macros so far, also of the sources', for near
	 * matches
	 */
	VEC(const char *) names;
};

/* macrolib.c: returns the macros of .stpm files, which all sources share. */
struct macros *macrolib_get(struct session *s);

/* atword.c: true when @name means something without any macro. */
bool atword_is_operator(const char *name);

#endif
