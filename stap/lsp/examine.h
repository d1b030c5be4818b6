/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the first two passes on a document, in a separate session. Syntax errors do not
 * end it: the second pass works on the parts that the parser has recovered.
 */
#ifndef STAP_LSP_EXAMINE_H
#define STAP_LSP_EXAMINE_H

#include "base/options.h"
#include "base/session.h"

struct diag_listener;
struct document;
struct error;
struct lsp;
struct unit;

struct examined {
	struct session s;
	struct options options;
	const struct unit *unit; /* what the parser makes of the document; NULL: nothing */
};

/* The first pass; the listener gets its messages. */
struct error *examine_parse(struct lsp *l, const struct document *d, struct diag_listener *listener,
			    struct examined *ret);
/* The second pass. Not to be called after an error of the first. */
struct error *examine_elaborate(struct examined *c);
/* The second pass for types alone: also of code that has no effect. */
void examine_types(struct examined *c);

#endif
