/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of scripts can hold any bytes, but output formats require UTF-8. */
#ifndef LIB_UTF8_H
#define LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length in bytes of the character at s, if `left` bytes are there; 0:
 * invalid.
 */
size_t utf8_length(const char *s, size_t left);
/* True: the text is UTF-8 without a NUL. */
bool utf8_is_text(const char *s, size_t len);
/* Makes a text UTF-8 in place and keeps its length: invalid bytes become '?'. */
void utf8_blot(char *s, size_t len);
/*
 * Stores a text as UTF-8: invalid bytes and NULs become \xHH. `to` must have room for
 * four times the length of the text. Returns the new length.
 */
size_t utf8_mend(char *to, const char *s, size_t len);

#endif
