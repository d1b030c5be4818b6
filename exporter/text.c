/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_no_memory(void)
{
	fputs("stap-exporter: out of memory\n", stderr);
	exit(1);
}

static void *checked(void *mem)
{
	if (!mem)
		text_no_memory();
	return mem;
}

void *text_memory(size_t bytes)
{
	return checked(calloc(1, bytes));
}

char *text_copy(const char *s)
{
	return checked(strdup(s));
}

static void text_grow(struct text *t, size_t more)
{
	if (t->room - t->len > more)
		return;
	t->room = 2 * t->room + more + 64;
	t->s = checked(realloc(t->s, t->room));
}

void text_add(struct text *t, const char *s, size_t len)
{
	text_grow(t, len);
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = 0;
}

void text_adds(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_addf(struct text *t, const char *fmt, ...)
{
	char small[256], *large = small;
	va_list args, again;
	int n;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(small, sizeof(small), fmt, args);
	if (n >= (int)sizeof(small)) {
		large = text_memory((size_t)n + 1);
		vsnprintf(large, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	va_end(args);
	text_add(t, large, n < 0 ? 0 : (size_t)n);
	if (large != small)
		free(large);
}

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}
