/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String literals: the meaning of their escapes, and the place of a byte of the string in
 * the script.
 */
#ifndef STAP_LITERAL_H
#define STAP_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"

/*
 * Returns the byte for the escape at *p (after the backslash), and moves *p past it.
 * has_hex: \x41 is supported, as since version 2.3.
 */
char literal_escape(const char **p, const char *end, bool has_hex);

/*
 * Returns the place of `count` bytes from `at` on of the string s, which is given by the
 * literals at loc (one, or several joined ones); one past the end is the closing quote.
 * Returns the whole place if the text there is not the string's: script arguments, macros
 * joined with literals.
 */
struct loc literal_part(struct loc loc, const char *s, size_t len, size_t at, size_t count);

#endif
