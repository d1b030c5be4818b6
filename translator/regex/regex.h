/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions, from the text of a pattern to the tables that runtime/core/regex.c
 * walks: POSIX extended syntax without back-references, and (?:…). Bytes are characters;
 * '.' and [^…] match newlines; '^' and '$' match only at the string's borders.
 *
 *   syntax.c     pattern -> tree           (tree.h)
 *   elements.c   tree -> elements and arcs (elements.h): which element may follow which,
 *                passing which group boundaries
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

/* An error in a pattern, and the bytes that it is about. */
struct regex_error {
	const char *text; /* NULL: nothing */
	size_t at, len;
};

/*
 * Returns NULL after an error. `groups`: stp_regex_find() is wanted; else
 * stp_regex_test(). A pattern may cause one remark about valid syntax that is probably a
 * mistake. It is also stored in *ret_error, together with a result.
 */
const struct stp_regex *regex_compile(struct arena *a, const char *pattern, size_t len, bool groups,
				      struct regex_error *ret_error);

/* Writes `static const struct stp_regex NAME = …;` and the tables that it refers to. */
void regex_write(struct writer *w, const char *name, const struct stp_regex *r);

#endif
