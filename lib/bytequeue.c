/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/bytequeue.h"

#include <stdlib.h>
#include <string.h>

bool bytequeue_reserve(struct bytequeue *q, size_t len)
{
	size_t waits = bytequeue_len(q), room;
	uint8_t *larger;

	if (q->start && (!waits || q->room - q->end < len)) {
		memmove(q->bytes, q->bytes + q->start, waits);
		q->start = 0;
		q->end = waits;
	}
	if (q->room - q->end >= len)
		return true;
	room = 2 * (q->end + len);
	larger = realloc(q->bytes, room);
	if (!larger)
		return false;
	q->bytes = larger;
	q->room = room;
	return true;
}

bool bytequeue_add(struct bytequeue *q, const void *bytes, size_t len)
{
	if (!len)
		return true;
	if (!bytequeue_reserve(q, len))
		return false;
	memcpy(q->bytes + q->end, bytes, len);
	q->end += len;
	return true;
}

void bytequeue_free(struct bytequeue *q)
{
	free(q->bytes);
	*q = (struct bytequeue){ 0 };
}
