/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growable array in an arena. `VEC(struct node *) args;` declares one; zero is empty.
 * vec_push() grows by doubling; outgrown memory stays in the arena.
 */
#ifndef LIB_VEC_H
#define LIB_VEC_H

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t count;                                                                      \
		size_t capacity;                                                                   \
	}

#define vec_push(arena, v, item)                                                                   \
	do {                                                                                       \
		if ((v)->count == (v)->capacity) {                                                 \
			size_t cap_ = (v)->capacity ? (v)->capacity * 2 : 2;                       \
			void *mem_ = arena_alloc((arena), cap_ * sizeof(*(v)->data));              \
			if ((v)->count)                                                            \
				memcpy(mem_, (v)->data, (v)->count * sizeof(*(v)->data));          \
			(v)->data = mem_;                                                          \
			(v)->capacity = cap_;                                                      \
		}                                                                                  \
		(v)->data[(v)->count++] = (item);                                                  \
	} while (0)

/*
 * The same for long lists. It releases outgrown memory, so that pointers into the list
 * become invalid.
 */
#define vec_push_long(arena, v, item)                                                              \
	do {                                                                                       \
		if ((v)->count == (v)->capacity) {                                                 \
			size_t had_ = (v)->capacity * sizeof(*(v)->data);                          \
			(v)->capacity = (v)->capacity ? (v)->capacity * 2 : 2;                     \
			(v)->data = arena_grow((arena), (v)->data, had_,                           \
					       (v)->capacity * sizeof(*(v)->data));                \
		}                                                                                  \
		(v)->data[(v)->count++] = (item);                                                  \
	} while (0)

#define vec_release(arena, v) arena_release((arena), (v)->data, (v)->capacity * sizeof(*(v)->data))

/* An empty vector has no memory: NULL must not be given to qsort(). */
#define vec_sort(v, compare)                                                                       \
	do {                                                                                       \
		if ((v)->count > 1)                                                                \
			qsort((v)->data, (v)->count, sizeof(*(v)->data), (compare));               \
	} while (0)

#define vec_each(v, i) for (size_t i = 0; i < (v)->count; i++)

#endif
