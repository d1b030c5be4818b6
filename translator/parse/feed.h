/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the lexer and the grammar: what bison's parser calls. */
#ifndef STAP_FEED_H
#define STAP_FEED_H

#include "parse/parser.h"

#include "parse/grammar.tab.h"

/*
 * The next token's kind (of grammar.tab.h), value and place.
 * What the lexer could not read is reported and left out.
 */
int stap_yylex(STAP_YYSTYPE *value, struct loc *loc, struct parser *p);

/* A keyword of today that is a name in the script's version of the language. */
bool feed_is_old_name(const struct parser *p, const struct token *t);

void stap_yyerror(struct loc *loc, struct parser *p, const char *message);

#endif
