/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Infers the types of a document's names from their uses. */
#ifndef STAP_LSP_INFERENCE_H
#define STAP_LSP_INFERENCE_H

#include <jansson.h>
#include <stdint.h>

#include "lib/vec.h"

struct arena;
struct document;
struct lsp;
struct symbol;
struct unit;

enum inferred_kind { INFERRED_GLOBAL, INFERRED_FUNCTION, INFERRED_PARAMETER, INFERRED_LOCAL };

struct inferred {
	enum inferred_kind kind;
	const char *name, *type; /* "": the type is not known */
	uint32_t at, end;	 /* the declaration, or the first use of a local */
};

struct inference {
	const struct unit *unit;
	VEC(struct inferred) names; /* each once in its declaration */
};

/* Checks the document for its types; names that no probe reaches have none. */
void inference_run(struct lsp *l, const struct document *d, struct inference *ret);
/* Returns ":long", "[string, long]:string", or "". */
const char *inference_global(struct arena *a, const struct symbol *g);

/* ---- answers ---- */

json_t *inference_answer_hints(struct lsp *l, const json_t *params);

#endif
