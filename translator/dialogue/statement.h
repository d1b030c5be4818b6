/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of a script as pieces of its text: a dialogue adds, lists and deletes them
 * before anything is parsed. Braces, strings, comments, embedded C and conditionals are
 * all that is looked at.
 */
#ifndef STAP_DIALOGUE_STATEMENT_H
#define STAP_DIALOGUE_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

struct statement {
	size_t begin, end;
	bool is_open; /* the text ends before the declaration does */
};

/* Finds the first statement from *at on, and moves *at behind it. False: none is left. */
bool statement_next(const char *text, size_t *at, struct statement *ret);
/* True: more lines are wanted before the text can be added. */
bool statement_is_open(const char *text);
/* True: the text begins as declarations do; anything else is taken for a command. */
bool statement_begins(const char *text);
/* True: the text declares that, "probe", "global" or "function", be it private or not. */
bool statement_declares(const char *text, const char *what);

#endif
