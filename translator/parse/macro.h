/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros: token lists with a name. */
#ifndef STAP_MACRO_H
#define STAP_MACRO_H

#include <stdbool.h>

#include "base/source.h"
#include "base/vec.h"

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
	/* of the library: all macros so far, also those of sources, for near matches */
	VEC(const char *) names;
};

/* Those of .stpm files, for all sources. */
struct macros *macros_library(struct session *s);

/* atword.c: @name means something without any macro. */
bool atword_is_operator(const char *name);

#endif
