/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of demangled names: "geo::Box<int>::grow(int)". */
#ifndef LIB_PLAINNAME_H
#define LIB_PLAINNAME_H

#include <stdbool.h>

struct arena;

#define PLAINNAME_ANONYMOUS "(anonymous namespace)"
#define PLAINNAME_CLONE	    " [clone " /* mark of a compiler's variant of a function */

/*
 * Returns a demangled name without the function's result and parameters, and with the
 * mark of a compiler's variant: "geo::Box<int>::grow", "f [clone .cold]". Functions
 * within functions keep the parameters of the outer ones:
 * "f(int)::{lambda()#1}::operator()".
 */
const char *plainname_of(struct arena *a, const char *text);

/* True: the character is one of a word. */
bool plainname_has(char c);
/*
 * Returns the text after "operator<<", "operator()", "operator new"; NULL: no operator's
 * name begins at that place of the text.
 */
const char *plainname_operator(const char *text, const char *at);
/*
 * Counts brackets of templates and parameters; the arrow of "fn() -> u8" is not a
 * bracket.
 */
unsigned plainname_depth(unsigned depth, const char *text, const char *at);
/* True: parameters begin there; false for Go's "main.(*Order).total". */
bool plainname_is_list(const char *text, const char *at);
/* True for Go's "main.Map[struct { n int }]", which is one word with blanks in it. */
bool plainname_is_go(const char *text);

#endif
