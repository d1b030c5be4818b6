/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place in a document that a question points to, and the word around it. */
#ifndef STAP_LSP_SPOT_H
#define STAP_LSP_SPOT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/source.h"
#include "stap/lsp/cursor.h"

struct lsp;

struct spot {
	const struct document *document;
	struct source *source;
	struct place place;
	uint32_t offset;
	struct loc word;  /* in a header with dots, in a body with '$' or '@' */
	const char *name; /* its text */
};

/* False: no such document is open, or the place is in a comment or embedded C. */
bool spot_find(struct lsp *l, const json_t *params, struct spot *ret);
/* Returns the points of the probe that the place is in. */
const char *spot_points(struct lsp *l, const struct spot *at);

#endif
