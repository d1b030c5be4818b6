/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A document as words and signs, each classified by the text alone, because editors ask
 * about incomplete scripts, and about branches of conditionals that are not taken. A
 * declaration (parse/statement.h) is the scope of its parameters and locals.
 */
#ifndef STAP_LSP_LEXEMES_H
#define STAP_LSP_LEXEMES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct arena;
struct source;
struct unit;

enum lexeme_kind {
	LEXEME_KEYWORD,
	LEXEME_FUNCTION, /* declared or called */
	LEXEME_VARIABLE,
	LEXEME_PARAMETER,
	LEXEME_POINT,	 /* a word of a probe point, or of an alias's name */
	LEXEME_MEMBER,	 /* after -> */
	LEXEME_TARGET,	 /* $name */
	LEXEME_OPERATOR, /* @name */
	LEXEME_STRING,
	LEXEME_NUMBER,
	LEXEME_COMMENT,
	LEXEME_EMBEDDED,
	LEXEME_SIGN,
};

struct lexeme {
	enum lexeme_kind kind;
	uint32_t begin, end;
	unsigned piece;	     /* ordinal number of its declaration */
	bool is_global;	     /* VARIABLE: the document declares it as one */
	bool is_declaration; /* of a function, a global or a parameter */
	bool is_set;	     /* VARIABLE: a value is given to it here */
};

struct lexemes {
	const char *text;
	VEC(struct lexeme) list;
	VEC(bool) is_alias; /* by piece: its variables are seen elsewhere */
};

/* Reads the source; `u` is the unit that the parser makes from it. */
void lexemes_read(struct arena *a, const struct source *source, const struct unit *u,
		  struct lexemes *ret);
/* True: the lexeme's text is that. */
bool lexeme_is(const struct lexemes *x, const struct lexeme *l, const char *text);
/* Returns the lexeme around the offset, or that ends there; NULL: none. */
const struct lexeme *lexemes_at(const struct lexemes *x, uint32_t offset);
/* True: both are names of the same thing. */
bool lexemes_mean_same(const struct lexemes *x, const struct lexeme *a, const struct lexeme *b);

#endif
