/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items that an editor offers at a place. */
#ifndef STAP_LSP_COMPLETION_H
#define STAP_LSP_COMPLETION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct lsp;
struct source;
struct spot;

/* Numbers of the protocol. */
enum completion_kind {
	COMPLETION_FUNCTION = 3,
	COMPLETION_VARIABLE = 6,
	COMPLETION_MODULE = 9,
	COMPLETION_KEYWORD = 14,
	COMPLETION_FILE = 17,
	COMPLETION_FOLDER = 19,
	COMPLETION_EVENT = 23,
};

struct completion {
	const char *name;
	enum completion_kind kind;
	const char *detail; /* beside the name; NULL: none */
	const char *text;   /* where there is room for sentences; NULL: none */
};

struct completions {
	struct lsp *l;
	json_t *list;
	json_t *range;	    /* the range that an item replaces */
	const char *prefix; /* its text up to the cursor */
	bool is_cut;
};

/* Adds the item, if its name begins with the prefix. */
void completion_add(struct completions *c, const struct completion *one);
/* Sets the range that items replace, and the prefix. */
void completion_replace(struct completions *c, struct source *source, uint32_t begin, uint32_t end);

/*
 * paths.c: adds files for process("…"), .library("…") and .plt's, and modules for
 * module("…"). False: the string around the place is another.
 */
bool paths_add(struct completions *c, const struct spot *at);

#endif
