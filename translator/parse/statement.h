/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of a script as pieces of its text, which need not be one that can be
 * parsed: a dialogue adds and deletes them, and an editor's names have their scopes in
 * them. Only braces, strings, comments, embedded C and conditionals are examined.
 */
#ifndef STAP_PARSE_STATEMENT_H
#define STAP_PARSE_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

struct statement {
	size_t begin, end;
	bool is_open; /* the text ends before the declaration does */
};

/* Finds the first statement from *at on, and moves *at past it. False: none is left. */
bool statement_next(const char *text, size_t *at, struct statement *ret);
/* True: more lines are needed before the text can be added. */
bool statement_is_open(const char *text);
/* True: the text begins as declarations do; anything else is taken for a command. */
bool statement_begins(const char *text);
/* True: the text declares that, "probe", "global" or "function", be it private or not. */
bool statement_declares(const char *text, const char *what);

#endif
