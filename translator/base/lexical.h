/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a script's text into pieces by lexical.def. Unlike the parser's tokens, there
 * are pieces for any text, even if it is incomplete, and comments are included.
 */
#ifndef STAP_LEXICAL_H
#define STAP_LEXICAL_H

#include <stdbool.h>
#include <stddef.h>

enum lexical_kind {
	LEXICAL_END,   /* a NUL, which has no length */
	LEXICAL_BLANK, /* one of them */
	LEXICAL_COMMENT,
	LEXICAL_STRING,
	LEXICAL_EMBEDDED, /* %{ … %} */
	LEXICAL_WORD,
	LEXICAL_NUMBER,
	LEXICAL_TARGET,	     /* $name, $$name, $1, $# */
	LEXICAL_AT,	     /* @name, @1, @# */
	LEXICAL_CONDITIONAL, /* %( %? %: %) */
	LEXICAL_SIGN,	     /* an operator, a bracket, any other byte */
};

/* A piece of a text. Its own text is between the signs of `head` and `tail` bytes. */
struct lexical {
	enum lexical_kind kind;
	size_t len, head, tail;
	bool is_open; /* its end is missing; a string then ends at the end of its line */
};

/* The role of a word or a sign: see lexical.def. */
enum lexical_role {
	LEXICAL_KEYWORD = 1 << 0,
	LEXICAL_ITEM = 1 << 1,
	LEXICAL_HEAD = 1 << 2,
	LEXICAL_STATEMENT = 1 << 3,
	LEXICAL_SPACED = 1 << 4,
	LEXICAL_MIDDLE = 1 << 5,
	LEXICAL_SETS = 1 << 6,
	LEXICAL_OPENS = 1 << 7,
	LEXICAL_CLOSES = 1 << 8,
};

/* Returns the piece at the beginning of the text, which ends in NUL. */
struct lexical lexical_next(const char *text);
/* Returns the length of the string there, if newlines did not end it. */
size_t lexical_string_length(const char *text, bool *is_open);
/* Finds the first piece of that kind at or after *at, and moves *at to it. */
bool lexical_find(const char **at, enum lexical_kind kind, struct lexical *ret);
/*
 * Finds the next block comment in [at, end) of a text in C, ignoring all other syntax;
 * *ret is the text in it. Returns the place after it; NULL: there is none.
 */
const char *lexical_c_comment(const char *at, const char *end, const char **ret, size_t *len);

/* Returns the roles of a word or a sign, 0 for one that has none. */
unsigned lexical_roles(const char *text, size_t len);
/* Returns the byte for the letter after a backslash, or -1: see ESCAPE. */
int lexical_escape(char letter);
/* Enumerates the keywords by i from 0; NULL: no more. */
const char *lexical_keyword(size_t i);
/* The signs around pieces of that kind; the first ones, if there are others. */
const char *lexical_begin(enum lexical_kind kind);
const char *lexical_end(enum lexical_kind kind);

/* True: text that the parser ignores. */
static inline bool lexical_is_gap(enum lexical_kind kind)
{
	return kind == LEXICAL_BLANK || kind == LEXICAL_COMMENT;
}

#endif
