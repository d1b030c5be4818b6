/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --language-server: editors ask over standard input and output, by the Language Server
 * Protocol 3.17, for a script's mistakes, for the meaning of a name and for the names
 * that there are. The documentation is read once. A child answers each question: its
 * memory goes with it, and a crash caused by a script that is half written does not end
 * the server.
 */
#ifndef STAP_LSP_LSP_H
#define STAP_LSP_LSP_H

#include <jansson.h>
#include <stdbool.h>

#include "base/source.h"
#include "lib/vec.h"
#include "stap/doc/doc.h"

struct session;
struct strbuf;

/* A document that the editor has open. */
struct document {
	char *uri, *text; /* from malloc(), because the server runs long */
	json_int_t version;
	bool is_checked;
};

/*
 * The place of a source whose units were counted last: answers name many places of a
 * line, one after the other.
 */
struct counted {
	const struct source *source;
	unsigned line, units;
	size_t at; /* bytes of the line */
};

struct lsp {
	struct session *s;
	struct counted counted;
	struct docs docs;
	struct document *documents;
	size_t count;
	bool is_initialized, is_shut_down, is_done;
};

/* How an editor shows a name, in numbers of the protocol. */
enum outline_kind { OUTLINE_FUNCTION = 12, OUTLINE_VARIABLE = 13, OUTLINE_EVENT = 24 };

/* ---- documents.c ---- */

void documents_open(struct lsp *l, const char *uri, json_int_t version, const char *text);
/* Replaces a range of the text. */
void documents_replace(struct lsp *l, const struct document *d, json_int_t version,
		       const json_t *range, const char *text);
void documents_close(struct lsp *l, const char *uri);
/* Returns the document that the params of a question name. */
struct document *documents_asked(struct lsp *l, const json_t *params);
struct source *document_source(struct lsp *l, const struct document *d);
/*
 * Returns the offset of a position of the protocol, which counts from 0 and in UTF-16
 * units. A position outside of the text becomes the next place inside.
 */
uint32_t document_offset(struct lsp *l, struct source *source, const json_t *position);
json_t *document_range(struct lsp *l, struct source *source, uint32_t begin, uint32_t end);

/* ---- answers of children; NULL: nothing ---- */

json_t *words_answer_hover(struct lsp *l, const json_t *params);
json_t *completion_answer(struct lsp *l, const json_t *params);
json_t *words_answer_definition(struct lsp *l, const json_t *params);
/* The function that the place is in a call of, and which argument it is. */
json_t *signature_answer_help(struct lsp *l, const json_t *params);
json_t *occurrences_answer_references(struct lsp *l, const json_t *params);
/*
 * prepareRename and rename: of functions, globals, parameters and locals that the
 * document declares or sets, and that no embedded C may use.
 */
json_t *occurrences_answer_prepare(struct lsp *l, const json_t *params);
json_t *occurrences_answer_rename(struct lsp *l, const json_t *params);
json_t *paint_answer_tokens(struct lsp *l, const json_t *params);
json_t *fixes_answer_actions(struct lsp *l, const json_t *params);
json_t *outline_answer_symbols(struct lsp *l, const json_t *params);
json_t *formatting_answer(struct lsp *l, const json_t *params);
json_t *folding_answer_ranges(struct lsp *l, const json_t *params);
json_t *workspace_answer_symbols(struct lsp *l, const json_t *params);
/* Returns the document's mistakes: params of textDocument/publishDiagnostics. */
json_t *findings_of(struct lsp *l, const struct document *d);

/* ---- lastrun.c ---- */

/* Adds the values that the global of the document had at the end of its last run. */
void lastrun_add(struct lsp *l, const struct source *document, const char *name,
		 struct strbuf *out);

/* ---- ask.c: asks another stap about a point ---- */

/* Returns the kinds of words that paint_answer_tokens() counts. */
json_t *paint_legend(void);
/* Returns the library's documentation of a name; NULL: none. */
const struct doc *words_doc(const struct lsp *l, const char *name);
/* Returns file:///… of the path. */
const char *words_uri(struct lsp *l, const char *path);

typedef VEC(const char *) name_list;

/* Lists the points that `point` matches: -l. */
void ask_points(struct lsp *l, const char *point, name_list *ret);
/* Lists "name:type" of all variables there: -L. */
void ask_variables(struct lsp *l, const char *point, name_list *ret);

#endif
