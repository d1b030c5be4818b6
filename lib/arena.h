/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arena owns all memory of a translation. Only buffers are released before the
 * session ends. The translator is a short-lived program and its data has one owner, the
 * session, so memory that is never freed is not an error. Out of memory ends the program
 * in one place, arena.c.
 */
#ifndef LIB_ARENA_H
#define LIB_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *a);

/* Returns zeroed memory, aligned for any object; never NULL. */
void *arena_alloc(struct arena *a, size_t size);
/*
 * arena_grow() returns a block of `size` bytes that begins with the contents of the old
 * block; the bytes after them are undefined and the old block must not be used again.
 * arena_release() releases a block. Both are for buffers that nothing else points into.
 * Only arena_grow() reuses small blocks.
 */
void *arena_grow(struct arena *a, void *mem, size_t old, size_t size);
void arena_release(struct arena *a, void *mem, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

#define arena_new(a, type)	((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
