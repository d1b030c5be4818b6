/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of scripts hold any bytes; formats want UTF-8. */
#ifndef LIB_UTF8_H
#define LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of the character at s, of which `left` are there; 0: it is none. */
size_t utf8_length(const char *s, size_t left);
/* True: the text is UTF-8 without a NUL. */
bool utf8_is_text(const char *s, size_t len);
/* Makes a text UTF-8 in its place, where its length must stay: other bytes become '?'. */
void utf8_blot(char *s, size_t len);
/*
 * Stores a text as UTF-8: other bytes, and NULs, become \xHH. Has room for four times its
 * bytes. Returns the length.
 */
size_t utf8_mend(char *to, const char *s, size_t len);

#endif
