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
 * Returns the byte that the escape at *p (behind the backslash) means, and moves *p
 * behind it. has_hex: \x41 is known, as it is since version 2.3.
 */
char literal_escape(const char **p, const char *end, bool has_hex);

/*
 * Returns the place of `count` bytes from `at` on of the string s, for which the literals
 * at loc (one, or several glued ones) stand; one past the end is the closing quote.
 * Returns the whole place when the text there is not that string's: script arguments,
 * macros glued with literals.
 */
struct loc literal_part(struct loc loc, const char *s, size_t len, size_t at, size_t count);

#endif
