/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue of bytes: added at one end, taken at the other. {0} is an empty queue. */
#ifndef LIB_BYTEQUEUE_H
#define LIB_BYTEQUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytequeue {
	uint8_t *bytes;		 /* from malloc(); those from `start` to `end` are queued */
	size_t start, end, room; /* offsets; room: size of the allocation */
};

static inline size_t bytequeue_len(const struct bytequeue *q)
{
	return q->end - q->start;
}

/* Returns the first queued byte. Adding bytes can move it. */
static inline uint8_t *bytequeue_at(const struct bytequeue *q)
{
	return q->bytes + q->start;
}

static inline void bytequeue_take(struct bytequeue *q, size_t len)
{
	q->start += len;
}

/* Makes room for `len` more bytes. False: no memory; the queue is unchanged. */
bool bytequeue_reserve(struct bytequeue *q, size_t len);
/* Adds bytes. False: no memory. */
bool bytequeue_add(struct bytequeue *q, const void *bytes, size_t len);
void bytequeue_free(struct bytequeue *q);

#endif
