/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/strbuf.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

void strbuf_init(struct strbuf *b, struct arena *a)
{
	*b = (struct strbuf){ .arena = a, .s = arena_alloc(a, 64), .capacity = 64 };
}

void strbuf_add(struct strbuf *b, const char *s, size_t len)
{
	if (b->len + len + 1 > b->capacity) {
		size_t capacity = b->capacity * 2 > b->len + len + 1 ? b->capacity * 2 : b->len + len + 1;
		char *bigger = arena_alloc(b->arena, capacity);

		memcpy(bigger, b->s, b->len);
		b->s = bigger;
		b->capacity = capacity;
	}
	memcpy(b->s + b->len, s, len);
	b->len += len;
	b->s[b->len] = 0;
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

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_adds(b, arena_vprintf(b->arena, fmt, ap));
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
