/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(x) 0 /* clang's */
#endif
/* Under AddressSanitizer every block is an allocation of its own: what writes past one is seen. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define CHUNK_BYTES 0
#else
#define CHUNK_BYTES (64 * 1024)
#endif

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

struct arena {
	struct chunk *chunks;
};

/* The one place where the translator runs out of memory. */
static void *xcalloc(size_t size)
{
	void *mem = calloc(1, size);

	if (!mem) {
		fputs("stap: out of memory\n", stderr);
		exit(3);
	}
	return mem;
}

struct arena *arena_create(void)
{
	return xcalloc(sizeof(struct arena));
}

void arena_destroy(struct arena *a)
{
	struct chunk *next;

	for (struct chunk *c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct chunk *c = a->chunks;

	size = (size + align - 1) / align * align;
	if (!c || c->size - c->used < size) {
		size_t bytes = size > CHUNK_BYTES / 4 ? size : CHUNK_BYTES;

		c = xcalloc(sizeof(*c) + bytes);
		c->size = bytes;
		if (bytes != CHUNK_BYTES && a->chunks) {
			/* A large block gets a chunk of its own behind the current one, which stays in use. */
			c->next = a->chunks->next;
			a->chunks->next = c;
		} else {
			c->next = a->chunks;
			a->chunks = c;
		}
	}
	c->used += size;
	return c->data + c->used - size;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	memcpy(copy, s, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *s;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	s = arena_alloc(a, (size_t)len + 1);
	vsnprintf(s, (size_t)len + 1, fmt, again);
	va_end(again);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}
