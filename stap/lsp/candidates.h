/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items that an editor offers at a place. */
#ifndef STAP_LSP_CANDIDATES_H
#define STAP_LSP_CANDIDATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct lsp;
struct source;
struct spot;

/* Numbers of the protocol. */
enum candidate_kind {
	CANDIDATE_FUNCTION = 3,
	CANDIDATE_VARIABLE = 6,
	CANDIDATE_MODULE = 9,
	CANDIDATE_KEYWORD = 14,
	CANDIDATE_FILE = 17,
	CANDIDATE_FOLDER = 19,
	CANDIDATE_EVENT = 23,
};

struct candidate {
	const char *name;
	enum candidate_kind kind;
	const char *detail; /* next to the name; NULL: none */
	const char *text;   /* shown if there is room for sentences; NULL: none */
};

struct candidates {
	struct lsp *l;
	json_t *list;
	json_t *range;	    /* the range that an item replaces */
	const char *prefix; /* its text up to the cursor */
	bool is_cut;
};

/* Adds the item, if its name begins with the prefix. */
void candidates_add(struct candidates *c, const struct candidate *one);
/* Sets the range that items replace, and the prefix. */
void candidates_replace(struct candidates *c, struct source *source, uint32_t begin, uint32_t end);

/*
 * paths.c: adds files for process("…"), .library("…") and .plt's, and modules for
 * module("…"). False: the string around the place is another.
 */
bool paths_add(struct candidates *c, const struct spot *at);

#endif
