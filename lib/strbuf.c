/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"

#define LEAST 64

void strbuf_init(struct strbuf *b, struct arena *a)
{
	*b = (struct strbuf){ .arena = a, .s = arena_grow(a, NULL, 0, LEAST), .capacity = LEAST };
	b->s[0] = 0;
}

void strbuf_release(struct strbuf *b)
{
	arena_release(b->arena, b->s, b->capacity);
	*b = (struct strbuf){ .arena = b->arena };
}

/* Makes room for len more bytes and a NUL after them. */
static void make_room(struct strbuf *b, size_t len)
{
	size_t need = b->len + len + 1, capacity = b->capacity ? b->capacity : LEAST;

	if (need <= b->capacity)
		return;
	while (capacity < need)
		capacity *= 2;
	b->s = arena_grow(b->arena, b->s, b->capacity, capacity);
	b->capacity = capacity;
}

void strbuf_add(struct strbuf *b, const char *s, size_t len)
{
	make_room(b, len);
	memcpy(b->s + b->len, s, len);
	b->len += len;
	b->s[b->len] = 0;
}

void strbuf_prepend(struct strbuf *b, const char *s, size_t len)
{
	make_room(b, len);
	memmove(b->s + len, b->s, b->len + 1);
	memcpy(b->s, s, len);
	b->len += len;
}

void strbuf_addc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_addhex(struct strbuf *b, const void *bytes, size_t n)
{
	for (const unsigned char *at = bytes, *end = at + n; at < end; at++)
		strbuf_addf(b, "%02x", *at);
}

void strbuf_adds(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t len;

	va_copy(again, ap);
	len = (size_t)vsnprintf(b->s + b->len, b->capacity - b->len, fmt, ap);
	if (len >= b->capacity - b->len) {
		make_room(b, len);
		vsnprintf(b->s + b->len, len + 1, fmt, again);
	}
	b->len += len;
	va_end(again);
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}

void strbuf_addquoted(struct strbuf *b, const char *s, size_t len)
{
	strbuf_addc(b, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			strbuf_addf(b, "\\%c", c);
		else if (c == '\n')
			strbuf_adds(b, "\\n");
		else if (c == '\t')
			strbuf_adds(b, "\\t");
		else if (c < 32 || c > 126 || (c == '?' && i + 1 < len && s[i + 1] == '?'))
			strbuf_addf(b, "\\%03o", c);
		else
			strbuf_addc(b, (char)c);
	}
	strbuf_addc(b, '"');
}

const char *strbuf_quoted(struct arena *a, const char *s, size_t len)
{
	struct strbuf b;

	strbuf_init(&b, a);
	strbuf_addquoted(&b, s, len);
	return b.s;
}

const char *strbuf_quoted_text(struct arena *a, const char *s)
{
	return strbuf_quoted(a, s, strlen(s));
}

const char *strbuf_escaped(struct arena *a, const char *s)
{
	struct strbuf b;

	if (!strpbrk(s, "\"\\"))
		return s;
	strbuf_init(&b, a);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			strbuf_addc(&b, '\\');
		strbuf_addc(&b, *s);
	}
	return b.s;
}

void strbuf_addword(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '\'');
	for (; *s; s++)
		if (*s == '\'')
			strbuf_adds(b, "'\\''");
		else
			strbuf_addc(b, *s);
	strbuf_addc(b, '\'');
}
