/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See merge.h. */
#include "trace/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int merge_init(struct merge *m, unsigned nrings, size_t capacity, const struct merge_ops *ops,
	       void *ctx)
{
	*m = (struct merge){ .ops = ops, .ctx = ctx, .nrings = nrings, .chain = -1 };
	m->capacity = capacity < MERGE_BUFFER_MIN ? MERGE_BUFFER_MIN : capacity;
	m->rings = calloc(nrings, sizeof(*m->rings));
	m->heap = calloc(nrings, sizeof(*m->heap));
	if (!m->rings || !m->heap) {
		merge_deinit(m);
		return -ENOMEM;
	}
	return 0;
}

int merge_reserve(struct merge *m)
{
	for (unsigned i = 0; i < m->nrings; i++) {
		m->rings[i].buf = malloc(m->capacity + MERGE_SPARE);
		if (!m->rings[i].buf)
			return -ENOMEM;
	}
	return 0;
}

void merge_deinit(struct merge *m)
{
	for (unsigned i = 0; m->rings && i < m->nrings; i++)
		free(m->rings[i].buf);
	free(m->rings);
	free(m->heap);
	m->rings = NULL;
	m->heap = NULL;
}

static bool fail(struct merge *m, unsigned ring, const char *what)
{
	m->error =
		(struct merge_error){ .ring = ring, .offset = m->rings[ring].offset, .what = what };
	return false;
}

static size_t record_size(const struct stp_record *head)
{
	return sizeof(*head) + STP_RECORD_ALIGN(head->len);
}

// Records are multiples of 8 long and the buffer comes from malloc(): the header is
// aligned.
static const struct stp_record *ring_head(const struct merge_ring *r)
{
	return (const struct stp_record *)(r->buf + r->start);
}

/*
 * Sets *ret to the first record of the buffer, or NULL while that is incomplete. False:
 * these bytes cannot be a record.
 */
static inline bool ring_peek(struct merge *m, unsigned n, const struct stp_record **ret)
{
	const struct merge_ring *r = &m->rings[n];
	size_t left = r->end - r->start;
	const struct stp_record *head;

	*ret = NULL;
	if (left < sizeof(*head))
		return true;
	head = ring_head(r);
	if (head->len > STP_RECORD_MAX || head->kind >= RECORD_KINDS || head->flags & ~RECORD_FLAGS)
		return fail(m, n,
			    head->len > STP_RECORD_MAX	 ? "record longer than any can be"
			    : head->kind >= RECORD_KINDS ? "record of unknown kind"
							 : "record with unknown flags");
	if (left >= record_size(head))
		*ret = head;
	return true;
}

static void ring_compact(struct merge_ring *r)
{
	if (r->start && r->end > r->start)
		memmove(r->buf, r->buf + r->start, r->end - r->start);
	r->end -= r->start;
	r->start = 0;
}

/* Reads until the ring is empty or the buffer has no room for another record. */
static bool ring_fill(struct merge *m, unsigned n)
{
	struct merge_ring *r = &m->rings[n];

	if (!r->buf && !(r->buf = malloc(m->capacity + MERGE_SPARE)))
		return fail(m, n, "no memory for the buffer");
	if (r->start == r->end || m->capacity - r->end < MERGE_BUFFER_MIN)
		ring_compact(r);
	while (m->capacity - r->end >= MERGE_BUFFER_MIN) {
		ssize_t got = m->ops->read(m->ctx, n, r->buf + r->end, m->capacity - r->end);
		if (got < 0)
			return fail(m, n, strerror((int)-got));
		if (got == 0)
			return true;
		r->end += (size_t)got;
		// The script may trace this very read: another read would only find the
		// records of this one.
		if (m->ops->empties && m->capacity - r->end >= MERGE_BUFFER_MIN)
			return true;
	}
	m->full = true;
	return true;
}

/* ---- the heap: a ring comes before another when its first record is older ---- */

static bool heap_before(const struct merge *m, unsigned a, unsigned b)
{
	uint64_t ta = ring_head(&m->rings[a])->time, tb = ring_head(&m->rings[b])->time;

	return ta != tb ? ta < tb : a < b;
}

static void heap_sift_down(struct merge *m, unsigned i)
{
	for (;;) {
		unsigned least = i, left = 2 * i + 1;

		for (unsigned k = left; k < left + 2 && k < m->nheap; k++) {
			if (heap_before(m, m->heap[k], m->heap[least]))
				least = k;
		}
		if (least == i)
			return;
		unsigned t = m->heap[i];
		m->heap[i] = m->heap[least];
		m->heap[least] = t;
		i = least;
	}
}

static void heap_drop_top(struct merge *m)
{
	m->heap[0] = m->heap[--m->nheap];
	heap_sift_down(m, 0);
}

static bool heap_build(struct merge *m)
{
	m->nheap = 0;
	for (unsigned n = 0; n < m->nrings; n++) {
		const struct stp_record *head;

		if (!ring_peek(m, n, &head))
			return false;
		if (head)
			m->heap[m->nheap++] = n;
	}
	for (unsigned i = m->nheap / 2; i-- > 0;)
		heap_sift_down(m, i);
	return true;
}

/* ---- emitting ---- */

/*
 * Finds the next whole record of ring n, and reads from the ring if the buffer has none.
 */
static inline bool ring_next(struct merge *m, unsigned n, const struct stp_record **ret)
{
	if (!ring_peek(m, n, ret))
		return false;
	if (*ret)
		return true;
	return ring_fill(m, n) && ring_peek(m, n, ret);
}

static inline bool emit_record(struct merge *m, unsigned n, const struct stp_record *head)
{
	struct merge_ring *r = &m->rings[n];
	size_t size = record_size(head);
	const char *wrong;

	m->forced += head->time > m->horizon;
	m->chain = head->flags & RECORD_MORE ? (int)n : -1;
	m->chain_time = head->time;
	wrong = m->ops->emit(m->ctx, n, head, (const uint8_t *)(head + 1));
	if (wrong)
		return fail(m, n, wrong);
	m->records++;
	r->start += size;
	r->offset += size;
	return true;
}

/*
 * Emits the rest of the hit that ring m->chain has begun. The chain stays open if more
 * records are to come. If the rest of the hit found no room in the ring, the hit ends
 * where the next hit's record, with another time, begins.
 */
static bool emit_chain(struct merge *m)
{
	while (m->chain >= 0) {
		unsigned n = (unsigned)m->chain;
		const struct stp_record *head;

		if (!ring_next(m, n, &head))
			return false;
		if (!head) {
			if (m->chain_time <= m->horizon)
				m->chain = -1;
			return true;
		}
		if (head->time != m->chain_time) {
			m->chain = -1;
			return true;
		}
		if (!emit_record(m, n, head))
			return false;
	}
	return true;
}

/*
 * Returns the time up to which ring m->heap[0] has the oldest records: the horizon, or
 * the time of the first record of the other rings.
 */
static uint64_t oldest_until(const struct merge *m)
{
	uint64_t until = m->horizon;

	for (unsigned k = 1; k < 3 && k < m->nheap; k++) {
		uint64_t time = ring_head(&m->rings[m->heap[k]])->time;

		if (time <= until)
			until = time - (m->heap[k] < m->heap[0]);
	}
	return until;
}

/* Emits a record and the rest of its hit. Sets *head to the ring's next record. */
static bool emit_hit(struct merge *m, unsigned n, const struct stp_record **head)
{
	return emit_record(m, n, *head) && (m->chain < 0 || emit_chain(m)) && ring_next(m, n, head);
}

/*
 * Emits as many records as can be passed on together. Sets *head to the ring's next
 * record.
 */
static bool emit_run(struct merge *m, unsigned n, uint64_t until, const struct stp_record **head)
{
	struct merge_ring *r = &m->rings[n];
	const uint8_t *at = r->buf + r->start;
	size_t size =
		(size_t)(m->ops->emit_run(m->ctx, at, r->buf + r->end, until, &m->records) - at);

	r->start += size;
	r->offset += size;
	return ring_next(m, n, head);
}

/*
 * Emits the oldest record, its chain, and the records of the same ring that follow. Sets
 * *ret to false if all remaining records are later than the horizon.
 */
static bool emit_oldest(struct merge *m, bool force, bool *ret)
{
	unsigned n = m->heap[0];
	const struct stp_record *head = ring_head(&m->rings[n]);
	uint64_t until = oldest_until(m);

	*ret = head->time <= m->horizon || force;
	if (!*ret)
		return true;
	if (head->time > m->horizon && !emit_hit(m, n, &head))
		return false;
	while (head && head->time <= until && m->chain < 0) {
		if (m->ops->emit_run && !emit_run(m, n, until, &head))
			return false;
		if (head && head->time <= until && !emit_hit(m, n, &head))
			return false;
	}
	if (head)
		heap_sift_down(m, 0);
	else
		heap_drop_top(m);
	return true;
}

/* Checks the end of all rings: an incomplete record there means a broken stream. */
static bool check_remains(struct merge *m)
{
	for (unsigned n = 0; n < m->nrings; n++) {
		if (m->rings[n].end != m->rings[n].start)
			return fail(m, n, "record cut short");
	}
	return true;
}

static bool fill_all(struct merge *m)
{
	m->full = false;
	for (unsigned n = 0; n < m->nrings; n++) {
		if (!ring_fill(m, n))
			return false;
	}
	return true;
}

static bool round_emit(struct merge *m, bool force)
{
	bool more = true;

	if (!emit_chain(m))
		return false;
	if (!heap_build(m))
		return false;
	// A forced round makes room once: it emits the records that are in the buffers
	// now.
	for (unsigned left = force ? 1024 : 0; m->chain < 0 && m->nheap && more; left -= left > 0) {
		if (!emit_oldest(m, left > 0, &more))
			return false;
	}
	return true;
}

long merge_round(struct merge *m, uint64_t horizon)
{
	uint64_t before = m->records;
	bool stuck = m->full && horizon == m->horizon;

	m->horizon = horizon;
	if (!fill_all(m) || !round_emit(m, stuck))
		return -1;
	if (horizon == MERGE_FINAL && m->records == before && !check_remains(m))
		return -1;
	return (long)(m->records - before);
}
