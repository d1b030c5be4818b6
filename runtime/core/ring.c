/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/ring.h"
#include "core/port.h"

/*
 * Room after the ring's end: a record is made in one piece, even where the ring wraps.
 */
#define RING_SPILL (sizeof(struct stp_record) + STP_RECORD_MAX)

int stp_ring_init(struct stp_ring *r, uint64_t size)
{
	memset(r, 0, sizeof(*r));
	r->data = port_alloc(size + RING_SPILL);
	if (!r->data)
		return -ENOMEM;
	r->size = size;
	r->wake_level = size / 4;
	r->hold_level = UINT64_MAX;
	return 0;
}

void stp_ring_free(struct stp_ring *r)
{
	port_free(r->data);
	r->data = NULL;
}

void stp_ring_wrap(struct stp_ring *r, uint64_t bytes)
{
	memcpy(r->data, r->data + r->size, bytes);
}

bool stp_ring_append(struct stp_ring *r, const struct stp_record *head, const void *body)
{
	uint64_t need = sizeof(*head) + STP_RECORD_ALIGN((uint64_t)head->len), room;
	uint8_t *place = stp_ring_place(r, &room);

	if (need > room)
		return false;
	memcpy(place, head, sizeof(*head));
	memcpy(place + sizeof(*head), body, head->len);
	memset(place + sizeof(*head) + head->len, 0, need - sizeof(*head) - head->len);
	stp_ring_take(r, need);
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

static void ring_get(const struct stp_ring *r, uint64_t at, void *dst, size_t n)
{
	uint64_t from = at & (r->size - 1);
	size_t first = n < r->size - from ? n : r->size - from;

	memcpy(dst, r->data + from, first);
	memcpy((uint8_t *)dst + first, r->data, n - first);
}

/* Reads only the length: a head may wrap, but a single member does not. */
static uint64_t record_bytes(const struct stp_ring *r, uint64_t at)
{
	const uint8_t *len = r->data + ((at + offsetof(struct stp_record, len)) & (r->size - 1));

	return sizeof(struct stp_record) + STP_RECORD_ALIGN((uint64_t) * (const uint16_t *)len);
}

size_t stp_ring_readable(const struct stp_ring *r, size_t size)
{
	uint64_t head = smp_load_acquire(&r->head), tail = r->tail, at = tail;

	if (head - tail <= size)
		return head - tail;
	while (at != head) {
		uint64_t next = at + record_bytes(r, at);

		if (next - tail > size)
			break;
		at = next;
	}
	return at - tail;
}

void stp_ring_pieces(const struct stp_ring *r, size_t n, struct stp_ring_piece pieces[2])
{
	uint64_t from = r->tail & (r->size - 1);
	size_t first = n < r->size - from ? n : r->size - from;

	pieces[0] = (struct stp_ring_piece){ r->data + from, first };
	pieces[1] = (struct stp_ring_piece){ r->data, n - first };
}

void stp_ring_consume(struct stp_ring *r, size_t n)
{
	smp_store_release(&r->tail, r->tail + n);
}

bool stp_ring_oldest(const struct stp_ring *r, struct stp_record *ret)
{
	uint64_t tail = READ_ONCE(r->tail);

	if (tail == r->head)
		return false;
	ring_get(r, tail, ret, sizeof(*ret));
	return true;
}

bool stp_ring_evict(struct stp_ring *r, struct stp_record *ret)
{
	uint64_t tail = READ_ONCE(r->tail);

	do {
		if (tail == r->head)
			return false;
		ring_get(r, tail, ret, sizeof(*ret));
	} while (!try_cmpxchg64(&r->tail, &tail,
				tail + sizeof(*ret) + STP_RECORD_ALIGN((uint64_t)ret->len)));
	return true;
}

void stp_ring_mark(struct stp_ring *r, uint8_t flags)
{
	r->data[(r->head + offsetof(struct stp_record, flags)) & (r->size - 1)] |= flags;
}

/* Returns how many of the n bytes are whole records. */
static size_t whole_records(const uint8_t *buf, size_t n)
{
	struct stp_record record;
	size_t at = 0, bytes;

	while (n - at >= sizeof(record)) {
		memcpy(&record, buf + at, sizeof(record));
		bytes = sizeof(record) + STP_RECORD_ALIGN((size_t)record.len);
		if (n - at < bytes)
			break;
		at += bytes;
	}
	return at;
}

/*
 * Reads while the producer may remove records. Only bytes that are still in the ring
 * after copying count: the producer moves the tail before it overwrites a record, so
 * everything after the new tail was copied intact, and begins with a record.
 */
static size_t ring_read_moving(struct stp_ring *r, uint8_t *buf, size_t size)
{
	for (;;) {
		uint64_t tail = smp_load_acquire(&r->tail), head = smp_load_acquire(&r->head), from,
			 end, at;
		size_t n = head - tail < size ? head - tail : size;

		ring_get(r, tail, buf, n);
		smp_mb();
		from = READ_ONCE(r->tail);
		if (from - tail > n)
			continue;
		at = from;
		end = from + whole_records(buf + (from - tail), n - (size_t)(from - tail));
		if (from == end && from == tail)
			return 0;
		while (at < end && !try_cmpxchg64(&r->tail, &at, end))
			;
		if (at >= end)
			continue;
		memmove(buf, buf + (at - tail), end - at);
		return end - at;
	}
}

size_t stp_ring_read(struct stp_ring *r, void *buf, size_t size)
{
	size_t n;

	if (r->overwrite)
		return ring_read_moving(r, buf, size);
	n = stp_ring_readable(r, size);

	ring_get(r, r->tail, buf, n);
	stp_ring_consume(r, n);
	return n;
}

uint64_t stp_ring_fill(const struct stp_ring *r)
{
	return smp_load_acquire(&r->head) - READ_ONCE(r->tail);
}
