/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to tree: source -> tokens (lex.l) -> script arguments, conditionals (preproc.c)
 * and macros (macro.c) on the token list -> grammar.y. Only parse/ sees tokens and
 * bison's headers.
 */
#ifndef STAP_PARSE_H
#define STAP_PARSE_H

#include <stddef.h>

struct session;
struct source;
struct unit;

/*
 * Parses one file and returns its tree, never NULL. Errors are reported, and the tree
 * holds the parts that could be parsed. Script arguments ($1 @1 $# @#) come from
 * s->options for user sources; in tapset sources they are errors.
 */
struct unit *parse_source(struct session *s, struct source *src);

/* Loads the macros of a .stpm file for all later parse_source() calls. */
void parse_macros(struct session *s, struct source *src);

/*
 * Enumerate, by i from 0, the language's own functions that print, and its @operators.
 * NULL: no more. base/lexical.h has its words.
 */
const char *parse_print_name(size_t i);
const char *parse_operator_name(size_t i);

#endif
