/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions, from the text of a pattern to the tables that runtime/core/regex.c
 * walks: POSIX extended syntax without back-references, and (?:…). Bytes are characters;
 * '.' and [^…] match newlines; '^' and '$' are the string's borders alone.
 *
 *   syntax.c      pattern -> tree           (tree.h)
 *   elements.c    tree -> elements and arcs (elements.h): who may follow whom, passing
 *                 which group boundaries
 *   automaton.c  sets of elements -> deterministic tables
 *   write.c      the tables as C
 *
 * To add syntax: a case in syntax.c; when it is more than a shorthand, a kind in tree.h
 * and its paragraph in elements.c.
 */
#ifndef STAP_REGEX_H
#define STAP_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct stp_regex;
struct writer;

/* What is wrong with a pattern, and which of its bytes are. */
struct regex_error {
	const char *text; /* NULL: nothing */
	size_t at, len;
};

/*
 * NULL after an error. `groups`: stp_regex_find() is wanted; else stp_regex_test(). A
 * pattern may draw one remark of something legal that hardly means what it says: also in
 * *ret_error, with a result.
 */
const struct stp_regex *regex_compile(struct arena *a, const char *pattern, size_t len, bool groups,
				      struct regex_error *ret_error);

/* `static const struct stp_regex NAME = …;` and what it refers to. */
void regex_write(struct writer *w, const char *name, const struct stp_regex *r);

#endif
