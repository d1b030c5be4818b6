/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String literals: what their escapes mean, and
 * where a byte of the string stands in the script.
 */
#ifndef STAP_LITERAL_H
#define STAP_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"

/*
 * The byte that the escape at *p (behind the backslash) means; *p
 * moves behind it. has_hex: \x41 is known, as since version 2.3.
 */
char literal_escape(const char **p, const char *end, bool has_hex);

/*
 * Of the string that the literals (one, or several glued ones) at loc stand for, the
 * place of `count` bytes from `at` on; one past the end is the closing quote. The whole
 * place, when the text there is not that string's: script arguments, macros glued with
 * literals.
 */
struct loc literal_part(struct loc loc, const char *s, size_t len, size_t at, size_t count);

#endif
