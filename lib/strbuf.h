/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A string that grows, in an arena. buf->s is always NUL-terminated once initialised. */
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
/* Gives the memory back; b->s is gone. */
void strbuf_release(struct strbuf *b);
void strbuf_add(struct strbuf *b, const char *s, size_t len);
void strbuf_prepend(struct strbuf *b, const char *s, size_t len);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);
/* Appends two digits for each byte. */
void strbuf_addhex(struct strbuf *b, const void *bytes, size_t n);
/*
 * Appends s as a C string literal with its quotes;
 * every byte outside printable ASCII as octal.
 */
void strbuf_addquoted(struct strbuf *b, const char *s, size_t len);
/* Returns that literal alone, in the arena. */
const char *strbuf_quoted(struct arena *a, const char *s, size_t len);
/* The same of a text that ends with a NUL. */
const char *strbuf_quoted_text(struct arena *a, const char *s);
/* Appends s in single quotes, as one word of a shell. */
void strbuf_addword(struct strbuf *b, const char *s);

#endif
