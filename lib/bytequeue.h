/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that wait: added at one end, taken at the other. {0} is an empty queue. */
#ifndef LIB_BYTEQUEUE_H
#define LIB_BYTEQUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytequeue {
	uint8_t *bytes;		 /* malloc's: from `start` to `end` they wait */
	size_t start, end, room; /* offsets; room: of the allocation */
};

static inline size_t bytequeue_len(const struct bytequeue *q)
{
	return q->end - q->start;
}

/* Returns the first byte that waits. It moves when bytes are added. */
static inline uint8_t *bytequeue_at(const struct bytequeue *q)
{
	return q->bytes + q->start;
}

static inline void bytequeue_take(struct bytequeue *q, size_t len)
{
	q->start += len;
}

/* Makes room for so many bytes. False: no memory, and the queue is as it was. */
bool bytequeue_reserve(struct bytequeue *q, size_t len);
/* Adds bytes. False: no memory. */
bool bytequeue_add(struct bytequeue *q, const void *bytes, size_t len);
void bytequeue_free(struct bytequeue *q);

#endif
