/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tokens, visible only to parse/. The lexer never reports errors: text that it cannot
 * read becomes TOKEN_BAD with its message. The message is reported when the token reaches
 * the grammar, and dropped if a conditional removes the token.
 */
#ifndef STAP_TOKEN_H
#define STAP_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "lib/vec.h"

struct session;

enum token_kind {
	TOKEN_END,
	TOKEN_BAD,		/* text: the message */
	TOKEN_WORD,		/* identifiers, keywords, $targets: text */
	TOKEN_AT,		/* @word: text without '@' */
	TOKEN_NUMBER,		/* number */
	TOKEN_STRING,		/* text, len: after escapes */
	TOKEN_EMBED,		/* %{ … %}: text, len of the part between the braces */
	TOKEN_ARG_RAW,		/* $1: number */
	TOKEN_ARG_STRING,	/* @1: number */
	TOKEN_ARG_COUNT,	/* $# */
	TOKEN_ARG_COUNT_STRING, /* @# */
	TOKEN_PUNCT,		/* text: the operator */
	TOKEN_IF_OPEN,		/* %( */
	TOKEN_IF_THEN,		/* %? */
	TOKEN_IF_ELSE,		/* %: */
	TOKEN_IF_CLOSE,		/* %) */
};

struct token {
	enum token_kind kind;
	struct loc loc;
	const char *text;
	size_t len;
	int64_t number;
};

typedef VEC(struct token) token_list;

/* lex.l: splits a source into all of its tokens, ending in TOKEN_END. */
void lex_source(struct session *s, struct source *src, token_list *ret);

/*
 * macro.c: makes the tokens that the grammar reads: script arguments are replaced, macros
 * expanded, conditionals decided. They end in TOKEN_END.
 */
void macro_preprocess(struct session *s, struct source *src, const token_list *in, token_list *ret);

/*
 * preproc.c: decides the condition in tokens
 * [begin, end) of a %( … %?, whose `%?` is at loc.
 */
bool preproc_condition(struct session *s, const struct token *begin, const struct token *end,
		       struct loc loc);

static inline bool token_is(const struct token *t, enum token_kind kind, const char *text)
{
	return t->kind == kind && !__builtin_strcmp(t->text, text);
}

#endif
