/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/source/hosts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MARK_EVERY 10000000 /* nanoseconds: marks closer than this count as one */

static size_t record_size(const struct stp_record *head)
{
	return sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
}

/* ---- the merge's side ---- */

/*
 * Passes on whole records and leaves room for another one: thus the merge's buffer is
 * never full, and no record is emitted before its time.
 */
static ssize_t read_queue(void *ctx, unsigned host, void *buf, size_t size)
{
	struct hosts_queue *q = &((struct hosts *)ctx)->queues[host];
	size_t n = 0;

	while (n < bytequeue_len(&q->bytes)) {
		const uint8_t *at = bytequeue_at(&q->bytes) + n;
		size_t next = record_size((const struct stp_record *)at);

		if (n + next + MERGE_BUFFER_MIN > size)
			break;
		n += next;
	}
	if (n)
		memcpy(buf, bytequeue_at(&q->bytes), n);
	bytequeue_take(&q->bytes, n);
	return (ssize_t)n;
}

static const char *emit(void *ctx, unsigned host, const struct stp_record *head,
			const uint8_t *body)
{
	struct hosts *s = ctx;
	struct hosts_queue *q = &s->queues[host];
	const struct hosts_origin of = q->origins[q->first++];
	struct stp_record own = *head;

	own.time = of.time;
	s->emit(s->ctx, host, of.ring, &own, body);
	return NULL;
}

int hosts_init(struct hosts *s, unsigned count, hosts_emit *fn, void *ctx)
{
	static const struct merge_ops ops = { .read = read_queue, .empties = true, .emit = emit };

	*s = (struct hosts){ .count = count, .emit = fn, .ctx = ctx };
	s->queues = calloc(count, sizeof(*s->queues));
	return s->queues ? merge_init(&s->merge, count, 3 * MERGE_BUFFER_MIN, &ops, s) : -ENOMEM;
}

void hosts_deinit(struct hosts *s)
{
	for (unsigned i = 0; s->queues && i < s->count; i++) {
		bytequeue_free(&s->queues[i].bytes);
		free(s->queues[i].origins);
	}
	if (s->merge.rings)
		merge_deinit(&s->merge);
	free(s->queues);
	s->queues = NULL;
}

/* ---- the machines' side ---- */

void hosts_open(struct hosts *s, unsigned host, uint64_t time)
{
	s->queues[host].time = time;
	s->queues[host].is_open = true;
}

void hosts_end(struct hosts *s, unsigned host)
{
	s->queues[host].is_open = false;
}

/* Makes room for a record of this many bytes. False: no memory. */
static bool make_room(struct hosts_queue *q, size_t size)
{
	if (q->first == q->last)
		q->first = q->last = 0;
	if (q->last == q->norigins && q->first > q->norigins / 2) {
		memmove(q->origins, q->origins + q->first,
			(q->last - q->first) * sizeof(*q->origins));
		q->last -= q->first;
		q->first = 0;
	}
	if (q->last == q->norigins) {
		size_t n = q->norigins ? 2 * q->norigins : 64;
		struct hosts_origin *larger = realloc(q->origins, n * sizeof(*larger));

		if (!larger)
			return false;
		q->origins = larger;
		q->norigins = n;
	}
	return bytequeue_reserve(&q->bytes, size);
}

/*
 * Returns the time by which a record is sorted: records of one machine stay in their
 * order of arrival.
 */
static uint64_t order_of(struct hosts_queue *q, const struct stp_record *head, uint64_t time)
{
	bool goes_on = q->is_part && head->time == q->part_time;

	if (!goes_on && time > q->time)
		q->time = time;
	q->is_part = head->flags & RECORD_MORE;
	q->part_time = head->time;
	return q->time;
}

static void add_mark(struct hosts *s, int64_t now, uint64_t time)
{
	struct hosts_mark *last = s->nmarks ? &s->marks[s->nmarks - 1] : NULL;

	if (s->is_patient)
		return;
	if (last && (now + HOSTS_WAIT - last->due < MARK_EVERY || s->nmarks == HOSTS_MARKS)) {
		if (time > last->time)
			last->time = time;
		return;
	}
	s->marks[s->nmarks++] = (struct hosts_mark){ .due = now + HOSTS_WAIT, .time = time };
}

void hosts_add(struct hosts *s, unsigned host, const struct hosts_origin *of, uint64_t time,
	       const struct stp_record *head, const uint8_t *body, int64_t now)
{
	struct hosts_queue *q = &s->queues[host];
	struct stp_record own = *head;
	size_t size = record_size(head);

	if (!make_room(q, size)) {
		s->no_memory = true;
		return;
	}
	own.time = order_of(q, head, time);
	q->origins[q->last++] = *of;
	bytequeue_add(&q->bytes, &own, sizeof(own)); // there is room
	bytequeue_add(&q->bytes, body, size - sizeof(own));
	add_mark(s, now, own.time);
}

size_t hosts_waiting(const struct hosts *s, unsigned host)
{
	return bytequeue_len(&s->queues[host].bytes);
}

bool hosts_is_empty(const struct hosts *s, unsigned host)
{
	return s->queues[host].first == s->queues[host].last;
}

/* ---- the order ---- */

static void pass_marks(struct hosts *s, int64_t now)
{
	unsigned n = 0;

	for (; n < s->nmarks && s->marks[n].due <= now; n++)
		if (s->marks[n].time > s->due_time)
			s->due_time = s->marks[n].time;
	memmove(s->marks, s->marks + n, (s->nmarks - n) * sizeof(*s->marks));
	s->nmarks -= n;
}

/* Returns the time up to which all machines that still run have sent their records. */
static uint64_t known_until(const struct hosts *s)
{
	uint64_t ret = MERGE_FINAL;

	for (unsigned i = 0; i < s->count; i++)
		if (s->queues[i].is_open && s->queues[i].time < ret)
			ret = s->queues[i].time;
	return ret;
}

int64_t hosts_emit_due(struct hosts *s, int64_t now)
{
	uint64_t known = known_until(s);
	long n;

	pass_marks(s, now);
	do {
		n = merge_round(&s->merge, known > s->due_time ? known : s->due_time);
	} while (n > 0);
	s->no_memory |= n < 0; // emit() reports no errors, and it gets only whole records
	for (unsigned i = 0; i < s->count && !s->is_patient; i++)
		if (!hosts_is_empty(s, i))
			return s->nmarks ? s->marks[0].due : now + MARK_EVERY;
	return -1;
}
