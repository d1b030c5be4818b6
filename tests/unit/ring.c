/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/ring.c: records whole and in order, one at a time and between two threads. */
#include "script.h"

#include <pthread.h>

const struct stp_script stp_script = { UNIT_LIMITS };

static struct stp_record record_of(uint64_t time, uint32_t len)
{
	return (struct stp_record){ .time = time, .len = len };
}

/* Appends a record and publishes it. */
static bool write_one(struct stp_ring *r, const struct stp_record *head, const void *body)
{
	if (!stp_ring_append(r, head, body))
		return false;
	stp_ring_publish(r);
	return true;
}

static void full_and_empty(void)
{
	struct stp_ring r;
	struct stp_record head = record_of(1, 10);
	uint8_t buf[64];

	CHECK_LONG(stp_ring_init(&r, 64), 0);
	CHECK_LONG((long long)stp_ring_read(&r, buf, sizeof(buf)), 0);
	CHECK(write_one(&r, &head, "0123456789"));
	CHECK(write_one(&r, &head, "0123456789"));
	CHECK(!write_one(&r, &head, "0123456789"));
	CHECK_LONG((long long)stp_ring_fill(&r), 64);
	CHECK_LONG((long long)stp_ring_read(&r, buf, 31), 0);
	CHECK_LONG((long long)stp_ring_read(&r, buf, 63), 32);
	CHECK(!memcmp(buf + 16, "0123456789\0\0\0\0\0", 16));
	CHECK_LONG((long long)stp_ring_read(&r, buf, 64), 32);
	CHECK_LONG((long long)stp_ring_fill(&r), 0);
	stp_ring_free(&r);
}

static void abandoned(void)
{
	struct stp_ring r;
	struct stp_record head = record_of(1, 8);
	uint8_t buf[256];

	CHECK_LONG(stp_ring_init(&r, 128), 0);
	CHECK(stp_ring_append(&r, &head, "12345678"));
	CHECK(stp_ring_append(&r, &head, "12345678"));
	CHECK_LONG((long long)stp_ring_fill(&r), 0);
	stp_ring_abandon(&r);
	CHECK(!stp_ring_publish(&r));
	CHECK_LONG((long long)stp_ring_read(&r, buf, sizeof(buf)), 0);
	CHECK(stp_ring_append(&r, &head, "12345678"));
	CHECK(stp_ring_append(&r, &head, "12345678"));
	CHECK(stp_ring_publish(&r)); /* 48 of 128: over the wake-up level */
	CHECK_LONG((long long)stp_ring_read(&r, buf, sizeof(buf)), 48);
	stp_ring_free(&r);
}

#define RECORDS 200000

static void *produce(void *arg)
{
	struct stp_ring *r = arg;
	uint8_t body[200];

	for (uint64_t i = 0; i < RECORDS; i++) {
		struct stp_record head = record_of(i, (uint32_t)(i * 7 % sizeof(body)));

		memset(body, (int)i, sizeof(body));
		while (!write_one(r, &head, body))
			sched_yield();
	}
	return NULL;
}

static void two_threads(void)
{
	struct stp_ring r;
	uint64_t next = 0;
	pthread_t thread;
	uint8_t buf[1024];

	CHECK_LONG(stp_ring_init(&r, 4096), 0);
	pthread_create(&thread, NULL, produce, &r);
	while (next < RECORDS) {
		size_t n = stp_ring_read(&r, buf, sizeof(buf));

		for (size_t at = 0; at < n; next++) {
			struct stp_record head;

			memcpy(&head, buf + at, sizeof(head));
			at += sizeof(head);
			CHECK_LONG((long long)head.time, (long long)next);
			CHECK_LONG(head.len, (long long)(next * 7 % 200));
			for (uint32_t i = 0; i < head.len; i++)
				CHECK(buf[at + i] == (uint8_t)next);
			at += STP_RECORD_ALIGN(head.len);
		}
		if (!n)
			sched_yield();
	}
	pthread_join(thread, NULL);
	stp_ring_free(&r);
}

static uint64_t evicted;
static bool produced;

static void *produce_over(void *arg)
{
	struct stp_ring *r = arg;
	uint8_t body[200];

	for (uint64_t i = 0; i < RECORDS; i++) {
		struct stp_record head = record_of(i, (uint32_t)(i * 7 % sizeof(body))), oldest;

		memset(body, (int)i, sizeof(body));
		while (!stp_ring_append(r, &head, body)) {
			evicted += stp_ring_evict(r, &oldest);
		}
		stp_ring_mark(r, RECORD_COUNTED);
		stp_ring_publish(r);
		if (i % 1000 == 0)
			sched_yield();
	}
	smp_store_release(&produced, true);
	return NULL;
}

/*
 * The oldest records are taken away while the reader reads: it gets whole records, in
 * order, and the rest is counted.
 */
static void overwriting(void)
{
	struct stp_ring r;
	uint64_t next = 0, read = 0;
	pthread_t thread;
	uint8_t buf[2048];
	bool over = false;

	CHECK_LONG(stp_ring_init(&r, 4096), 0);
	r.overwrite = true;
	pthread_create(&thread, NULL, produce_over, &r);
	for (size_t n = 1; n || !over;) {
		over = smp_load_acquire(&produced);
		n = stp_ring_read(&r, buf, sizeof(buf));
		for (size_t at = 0; at < n; read++) {
			struct stp_record head;

			memcpy(&head, buf + at, sizeof(head));
			at += sizeof(head);
			CHECK(head.time >= next && head.flags == RECORD_COUNTED);
			next = head.time + 1;
			CHECK_LONG(head.len, (long long)(head.time * 7 % 200));
			for (uint32_t i = 0; i < head.len && at + i < n; i++)
				CHECK(buf[at + i] == (uint8_t)head.time);
			at += STP_RECORD_ALIGN((uint32_t)head.len);
			CHECK(at <= n);
		}
	}
	pthread_join(thread, NULL);
	CHECK_LONG((long long)next, RECORDS);
	CHECK_LONG((long long)(read + evicted), RECORDS);
	CHECK(read > 100);
	stp_ring_free(&r);
}

int main(void)
{
	RUN(full_and_empty);
	RUN(abandoned);
	RUN(two_threads);
	RUN(overwriting);
	return unit_end();
}
