/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(x) 0 /* clang's */
#endif
/*
 * Under AddressSanitizer every block is an allocation of its own, so that a write past
 * its end is detected.
 */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define CHUNK_BYTES 0
#else
#define CHUNK_BYTES (64 * 1024)
#endif

struct chunk {
	struct chunk *next, *prev;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

/* Released blocks, listed by kind: blocks of kind n hold at least 2^n bytes. */
#define SPARE_KINDS 20
struct spare {
	struct spare *next;
};

struct arena {
	struct chunk *chunks; /* blocks share the first */
	struct chunk *large;  /* of one block each */
	struct spare *spare[SPARE_KINDS];
};

static void *or_die(void *mem)
{
	if (!mem) {
		/* The one place where the translator runs out of memory. */
		fputs("stap: out of memory\n", stderr);
		exit(3);
	}
	return mem;
}

struct arena *arena_create(void)
{
	return or_die(calloc(1, sizeof(struct arena)));
}

static void free_all(struct chunk *c)
{
	struct chunk *next;

	for (; c; c = next) {
		next = c->next;
		free(c);
	}
}

void arena_destroy(struct arena *a)
{
	free_all(a->chunks);
	free_all(a->large);
	free(a);
}

static void link_first(struct chunk **list, struct chunk *c)
{
	c->prev = NULL;
	c->next = *list;
	if (c->next)
		c->next->prev = c;
	*list = c;
}

static void unlink_large(struct arena *a, struct chunk *c)
{
	*(c->prev ? &c->prev->next : &a->large) = c->next;
	if (c->next)
		c->next->prev = c->prev;
}

static struct chunk *chunk_create(struct chunk **list, size_t bytes)
{
	struct chunk *c = or_die(calloc(1, sizeof(*c) + bytes));

	c->size = bytes;
	link_first(list, c);
	return c;
}

static size_t rounded(size_t size)
{
	const size_t align = _Alignof(max_align_t);

	return (size + align - 1) / align * align;
}

/* True for a size exactly when it is true for the size that it is rounded up to. */
static bool is_large(size_t size)
{
	return size > CHUNK_BYTES / 4;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct chunk *c = a->chunks;

	size = rounded(size);
	if (is_large(size))
		return chunk_create(&a->large, size)->data;
	if (!c || c->size - c->used < size)
		c = chunk_create(&a->chunks, CHUNK_BYTES);
	c->used += size;
	return c->data + c->used - size;
}

static struct chunk *chunk_of(void *mem)
{
	return (struct chunk *)((char *)mem - offsetof(struct chunk, data));
}

/* Returns the n for which a block holds at least 2^n bytes and fewer than 2^(n+1). */
static unsigned spare_kind(size_t size)
{
	return 63 - (unsigned)__builtin_clzll(size);
}

/*
 * Takes a small released block of at least this many bytes. NULL: there is none.
 */
static void *spare_take(struct arena *a, size_t size)
{
	unsigned kind = spare_kind(size);
	struct spare *s;

	kind += size > (size_t)1 << kind;
	s = kind < SPARE_KINDS ? a->spare[kind] : NULL;
	if (!s)
		return NULL;
	a->spare[kind] = s->next;
	return s;
}

static void *grow_small(struct arena *a, void *mem, size_t old, size_t size)
{
	void *ret = is_large(size) ? NULL : spare_take(a, size);

	if (!ret)
		ret = arena_alloc(a, size);
	if (old) {
		memcpy(ret, mem, old);
		arena_release(a, mem, old);
	}
	return ret;
}

void *arena_grow(struct arena *a, void *mem, size_t old, size_t size)
{
	struct chunk *c;

	if (!old || !is_large(old))
		return grow_small(a, mem, old, size);
	c = chunk_of(mem);
	unlink_large(a, c);
	c = or_die(realloc(c, sizeof(*c) + rounded(size)));
	c->size = rounded(size);
	link_first(&a->large, c);
	return c->data;
}

void arena_release(struct arena *a, void *mem, size_t size)
{
	struct spare *s = mem;

	if (is_large(size)) {
		unlink_large(a, chunk_of(mem));
		free(chunk_of(mem));
	} else if (size >= sizeof(*s)) {
		s->next = a->spare[spare_kind(size)];
		a->spare[spare_kind(size)] = s;
	}
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
