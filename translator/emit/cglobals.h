/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Globals in embedded C: the macros STAP_GLOBAL_GET_x(keys) and STAP_GLOBAL_SET_x(keys,
 * value), which enclose the user's text.
 */
#ifndef STAP_CGLOBALS_H
#define STAP_CGLOBALS_H

#include "lib/strbuf.h"

struct session;
struct symbol;
struct writer;

struct cglobals {
	struct session *s;
	struct writer *w;
	struct strbuf *undo; /* the #undef of each macro, for after the text */
	/* expression of MAXSTRINGLEN bytes that a string of an array is read into */
	const char *string_room;
};

/* Emits #define NAME PARAMS TEXT. */
void cglobals_macro(struct cglobals *g, const char *name, const char *params, const char *text);
/* Emits the macros of the global, once. */
void cglobals_define(struct cglobals *g, const struct symbol *sym);

#endif
