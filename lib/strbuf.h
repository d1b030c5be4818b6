/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growable string in an arena. Once initialised, buf->s is always NUL-terminated. */
#ifndef LIB_STRBUF_H
#define LIB_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct strbuf {
	struct arena *arena;
	char *s;
	size_t len;
	size_t capacity;
};

void strbuf_init(struct strbuf *b, struct arena *a);
/* Releases the memory; b->s is no longer valid. */
void strbuf_release(struct strbuf *b);
void strbuf_add(struct strbuf *b, const char *s, size_t len);
void strbuf_prepend(struct strbuf *b, const char *s, size_t len);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);
/* Appends two hexadecimal digits for each byte. */
void strbuf_addhex(struct strbuf *b, const void *bytes, size_t n);
/*
 * Appends s as a C string literal with its quotes;
 * every byte outside printable ASCII as octal.
 */
void strbuf_addquoted(struct strbuf *b, const char *s, size_t len);
/* Returns such a literal alone, in the arena. */
const char *strbuf_quoted(struct arena *a, const char *s, size_t len);
/* The same, for a NUL-terminated text. */
const char *strbuf_quoted_text(struct arena *a, const char *s);
/* Returns s with a backslash before each double quote and each backslash. */
const char *strbuf_escaped(struct arena *a, const char *s);
/* Appends s in single quotes, as one word of a shell. */
void strbuf_addword(struct strbuf *b, const char *s);

#endif
