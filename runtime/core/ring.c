/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/ring.h"
#include "core/port.h"

int stp_ring_init(struct stp_ring *r, uint64_t size)
{
	memset(r, 0, sizeof(*r));
	r->data = port_alloc(size);
	if (!r->data)
		return -ENOMEM;
	r->size = size;
	r->wake_level = size / 4;
	return 0;
}

void stp_ring_free(struct stp_ring *r)
{
	port_free(r->data);
	r->data = NULL;
}

static void ring_put(struct stp_ring *r, uint64_t at, const void *src, size_t n)
{
	uint64_t from = at & (r->size - 1);
	size_t first = n < r->size - from ? n : r->size - from;

	memcpy(r->data + from, src, first);
	memcpy(r->data, (const uint8_t *)src + first, n - first);
}

static void ring_get(const struct stp_ring *r, uint64_t at, void *dst, size_t n)
{
	uint64_t from = at & (r->size - 1);
	size_t first = n < r->size - from ? n : r->size - from;

	memcpy(dst, r->data + from, first);
	memcpy((uint8_t *)dst + first, r->data, n - first);
}

bool stp_ring_append(struct stp_ring *r, const struct stp_record *head, const void *body)
{
	static const uint8_t zeros[8];
	uint64_t need = sizeof(*head) + STP_RECORD_ALIGN((uint64_t)head->len);
	uint64_t at = r->reserved;

	/* Acquire: the consumer has read what lay here before its tail moved on. */
	if (at + need - smp_load_acquire(&r->tail) > r->size)
		return false;
	ring_put(r, at, head, sizeof(*head));
	ring_put(r, at + sizeof(*head), body, head->len);
	ring_put(r, at + sizeof(*head) + head->len, zeros, need - sizeof(*head) - head->len);
	r->reserved = at + need;
	return true;
}

bool stp_ring_publish(struct stp_ring *r)
{
	uint64_t before = r->head - READ_ONCE(r->tail);
	uint64_t after = r->reserved - READ_ONCE(r->tail);

	if (r->reserved != r->head)
		smp_store_release(&r->head, r->reserved);
	return before < r->wake_level && after >= r->wake_level;
}

void stp_ring_abandon(struct stp_ring *r)
{
	r->reserved = r->head;
}

bool stp_ring_write(struct stp_ring *r, const struct stp_record *head, const void *body)
{
	if (!stp_ring_append(r, head, body))
		return false;
	stp_ring_publish(r);
	return true;
}

size_t stp_ring_read(struct stp_ring *r, void *buf, size_t size)
{
	uint64_t head = smp_load_acquire(&r->head), tail = r->tail, at = tail;

	while (at != head) {
		struct stp_record record;
		uint64_t bytes;

		ring_get(r, at, &record, sizeof(record));
		bytes = sizeof(record) + STP_RECORD_ALIGN((uint64_t)record.len);
		if (at - tail + bytes > size)
			break;
		at += bytes;
	}
	ring_get(r, tail, buf, at - tail);
	smp_store_release(&r->tail, at);
	return at - tail;
}

uint64_t stp_ring_fill(const struct stp_ring *r)
{
	return smp_load_acquire(&r->head) - READ_ONCE(r->tail);
}
