/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --language-server: editors ask over standard input and output, by the Language Server
 * Protocol 3.17, what is wrong in a script, what a name is and which names there are. The
 * documentation is read once. Each question is answered by a child: what that has read
 * goes with it, and a mistake of ours in a script that is half written does not end the
 * server.
 */
#ifndef STAP_LSP_H
#define STAP_LSP_H

#include <jansson.h>
#include <stdbool.h>

#include "base/source.h"
#include "base/vec.h"
#include "doc/doc.h"

struct session;

/* One that the editor has open. */
struct document {
	char *uri, *text; /* malloc'ed: the server lives long */
	json_int_t version;
	bool is_checked;
};

struct lsp {
	struct session *s;
	struct docs docs;
	struct document *documents;
	size_t count;
	bool is_initialized, is_shut_down, is_done;
};

/* Until the editor says exit. The exit status. */
int lsp_serve(struct session *s);

/* ---- documents.c ---- */

void documents_open(struct lsp *l, const char *uri, json_int_t version, const char *text);
void documents_close(struct lsp *l, const char *uri);
/* NULL: it is not open. */
struct document *documents_find(struct lsp *l, const char *uri);
/* By the params of a question. */
struct document *documents_asked(struct lsp *l, const json_t *params);
struct source *document_source(struct lsp *l, const struct document *d);
/*
 * Positions of the protocol count from 0, and UTF-16
 * units. Outside of the text: its next place inside.
 */
uint32_t document_offset(struct lsp *l, struct source *source, const json_t *position);
json_t *document_range(struct lsp *l, struct source *source, uint32_t begin, uint32_t end);

/* ---- what children answer; NULL: nothing ---- */

json_t *words_answer_hover(struct lsp *l, const json_t *params);
json_t *words_answer_completion(struct lsp *l, const json_t *params);
json_t *words_answer_definition(struct lsp *l, const json_t *params);
json_t *outline_answer_symbols(struct lsp *l, const json_t *params);
json_t *outline_answer_formatting(struct lsp *l, const json_t *params);
/* What is wrong in it: params of textDocument/publishDiagnostics. */
json_t *findings_of(struct lsp *l, const struct document *d);

/* ---- ask.c: what another stap says about a point ---- */

typedef VEC(const char *) name_list;

/* The points that it stands for: -l. */
void ask_points(struct lsp *l, const char *point, name_list *ret);
/* "name:type" of all variables there: -L. */
void ask_variables(struct lsp *l, const char *point, name_list *ret);

#endif
