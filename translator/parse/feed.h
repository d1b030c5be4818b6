/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The feed between the lexer and the grammar: the function that bison's parser calls. */
#ifndef STAP_FEED_H
#define STAP_FEED_H

#include "parse/parser.h"

#include "parse/grammar.tab.h"

/*
 * Returns the next token's kind (of grammar.tab.h) and fills its value and place. Text
 * that the lexer could not read is reported and left out.
 */
int stap_yylex(STAP_YYSTYPE *value, struct loc *loc, struct parser *p);

/* True: t is a keyword today, but a name in the script's version of the language. */
bool feed_is_old_name(const struct parser *p, const struct token *t);

void stap_yyerror(struct loc *loc, struct parser *p, const char *message);

#endif
