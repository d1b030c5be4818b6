/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/source/hoststream.c: a stream in pieces of every size, its beginnings, and bytes
 * that are none. trace/source/hosts.c: records of several machines come in the order of
 * their times; who is silent holds up nobody for longer than HOSTS_WAIT.
 */
#include "tests/unit/unit.h"

#include "trace/source/hosts.h"
#include "trace/source/hoststream.h"
#include "uapi/msg.h"

/* ---- a stream ---- */

struct bytes {
	uint8_t s[4096];
	size_t len;
};

static void put(struct bytes *b, const void *s, size_t len)
{
	memcpy(b->s + b->len, s, len);
	b->len += len;
}

static void put_record(struct bytes *b, unsigned kind, unsigned flags, unsigned probe,
		       const char *body)
{
	const struct stp_record head = { .time = b->len,
					 .probe = probe,
					 .len = (uint16_t)strlen(body),
					 .kind = (uint8_t)kind,
					 .flags = (uint8_t)flags };

	put(b, &head, sizeof(head));
	put(b, body, head.len);
	put(b, "\0\0\0\0\0\0\0", STP_RECORD_ALIGN(head.len) - head.len);
}

static void put_header(struct bytes *b)
{
	const uint32_t one = 1;
	struct raw_header h = { .magic = RAW_MAGIC,
				.version = RAW_VERSION,
				.abi = STP_ABI,
				.bytes = sizeof(h) + 16,
				.ring = RAW_STREAM,
				.nrings = 2,
				.module_bytes = 1,
				.host_bytes = 4,
				.nprobes = 1,
				.probes_bytes = 5 };

	put(b, &h, sizeof(h));
	put(b, "mhost", 5);
	put(b, &one, sizeof(one));
	put(b, "p\0\0\0\0\0\0", 7);
}

static void put_stream(struct bytes *b)
{
	b->len = 0;
	put_header(b);
	put_record(b, RAW_RING, 0, 1, "");
	put_record(b, RECORD_OUTPUT, RECORD_MORE, 0, "first");
	put_record(b, RECORD_OUTPUT, 0, 0, "rest");
	put_record(b, RAW_MESSAGE, 1, STP_NO_PROBE, "wrong");
	put_record(b, RAW_VALUES, 0, STP_NO_PROBE, "old values");
	put_record(b, RAW_BOOKS, 0, STP_NO_PROBE, "books of that moment");
	put_record(b, RAW_LOOK, 0, STP_NO_PROBE, "");
	put_record(b, RAW_VALUES, 0, STP_NO_PROBE, "val");
	put_record(b, RAW_VALUES, 0, STP_NO_PROBE, "ues");
	put_record(b, RAW_BOOKS, 0, STP_NO_PROBE, "the ");
	put_record(b, RAW_BOOKS, 0, STP_NO_PROBE, "books");
	put_record(b, RAW_END, 0, STP_NO_PROBE, "0123456789abcdef");
}

/* Takes what there is; adds a letter for each event. */
static void take(struct hoststream *s, char *events)
{
	static const char letters[] = {
		[HOSTSTREAM_MORE] = '.',   [HOSTSTREAM_TEXT] = 't',    [HOSTSTREAM_HEADER] = 'h',
		[HOSTSTREAM_RECORD] = 'r', [HOSTSTREAM_MESSAGE] = 'm', [HOSTSTREAM_END] = 'e',
		[HOSTSTREAM_WRONG] = 'w',  [HOSTSTREAM_LOOK] = 'l'
	};
	enum hoststream_event event;
	struct stp_record head;
	const uint8_t *body;
	size_t len;

	while ((event = hoststream_next(s, &head, &body, &len)) != HOSTSTREAM_MORE) {
		strncat(events, &letters[event], 1);
		if (event == HOSTSTREAM_RECORD)
			CHECK_LONG(s->ring, 1);
	}
}

static void stream_in_pieces(void)
{
	struct bytes b;

	put_stream(&b);
	for (size_t piece = 1; piece <= b.len; piece++) {
		struct hoststream s = { .at = 0 };
		char events[64] = "";

		for (size_t at = 0; at < b.len; at += piece) {
			CHECK(hoststream_add(&s, b.s + at,
					     piece < b.len - at ? piece : b.len - at));
			take(&s, events);
		}
		CHECK_TEXT(events, "hrrmle");
		CHECK(s.ended && s.at == b.len);
		CHECK_TEXT(s.module, "m");
		CHECK_TEXT(s.host, "host");
		CHECK_TEXT(s.books.s, "the books");
		CHECK_TEXT(s.values.s, "values");
		CHECK_LONG(s.records, 1);
		CHECK_LONG(s.tables.probes.count, 1);
		hoststream_deinit(&s);
	}
}

/* Changes a byte of the stream, and tells what becomes of it. */
static const char *changed(size_t at, uint8_t to, char events[64])
{
	struct hoststream s = { .at = 0 };
	struct bytes b;

	put_stream(&b);
	b.s[at] = to;
	*events = 0;
	CHECK(hoststream_add(&s, b.s, b.len));
	take(&s, events);
	hoststream_deinit(&s);
	return events;
}

static void damage(void)
{
	const size_t first = sizeof(struct raw_header) + 16;
	char events[64];

	CHECK_TEXT(changed(0, 'x', events), "t");				// no stream
	CHECK_TEXT(changed(8, 99, events), "w");				// another version
	CHECK_TEXT(changed(offsetof(struct raw_header, ring), 0, events), "w"); // a file
	CHECK_TEXT(changed(offsetof(struct raw_header, bytes) + 3, 1, events), "w");
	CHECK_TEXT(changed(offsetof(struct raw_header, nprobes), 2, events), "w");
	CHECK_TEXT(changed(first + offsetof(struct stp_record, probe), 2, events), "hw");
	CHECK_TEXT(changed(first + offsetof(struct stp_record, kind), 0x80, events), "hw");
	CHECK_TEXT(changed(first + 16 + offsetof(struct stp_record, flags), 0xff, events), "hw");
}

/* ---- the order ---- */

static char order[1024];

static void take_record(void *ctx, unsigned host, unsigned ring, const struct stp_record *head,
			const uint8_t *body)
{
	char text[32];

	CHECK_LONG(ring, host + 7);
	CHECK_LONG(body[0], 'b');
	snprintf(text, sizeof(text), "%c%llu ", (int)('a' + host), (unsigned long long)head->time);
	strcat(order, text);
}

/* Adds a record whose time there is `own`, and by the clock here `time`. */
static void add(struct hosts *s, unsigned host, uint64_t own, uint64_t time, unsigned flags,
		int64_t now)
{
	const struct stp_record head = {
		.time = own, .len = 1, .kind = RECORD_OUTPUT, .flags = (uint8_t)flags
	};

	hosts_add(s, host, &(struct hosts_origin){ own, host + 7 }, time, &head,
		  (const uint8_t *)"b\0\0\0\0\0\0", now);
}

static void by_time(void)
{
	struct hosts s;

	*order = 0;
	CHECK(!hosts_init(&s, 3, take_record, NULL));
	hosts_open(&s, 0, 10);
	hosts_open(&s, 1, 10);
	add(&s, 0, 1, 20, 0, 0);
	add(&s, 0, 2, 30, 0, 0);
	CHECK_LONG(hosts_emit_due(&s, 0), HOSTS_WAIT);
	CHECK_TEXT(order, ""); // b may have something earlier
	add(&s, 1, 5, 25, 0, 1);
	hosts_emit_due(&s, 1);
	CHECK_TEXT(order, "a1 b5 ");
	hosts_emit_due(&s, HOSTS_WAIT - 1);
	CHECK_TEXT(order, "a1 b5 ");
	CHECK_LONG(hosts_emit_due(&s, HOSTS_WAIT), -1); // b is silent
	CHECK_TEXT(order, "a1 b5 a2 ");
	add(&s, 1, 6, 26, 0, HOSTS_WAIT); // late: it comes all the same
	add(&s, 0, 3, 40, 0, HOSTS_WAIT);
	hosts_emit_due(&s, HOSTS_WAIT);
	CHECK_TEXT(order, "a1 b5 a2 b6 ");
	CHECK(!hosts_is_empty(&s, 0) && hosts_is_empty(&s, 1));
	hosts_end(&s, 1);
	CHECK_LONG(hosts_emit_due(&s, HOSTS_WAIT), -1);
	CHECK_TEXT(order, "a1 b5 a2 b6 a3 ");
	hosts_end(&s, 0);
	hosts_deinit(&s);
}

/* For runs that send their records when they end. */
static void patient(void)
{
	struct hosts s;

	*order = 0;
	CHECK(!hosts_init(&s, 2, take_record, NULL));
	s.is_patient = true;
	hosts_open(&s, 0, 10);
	hosts_open(&s, 1, 10);
	add(&s, 0, 1, 20, 0, 0);
	add(&s, 0, 2, 40, 0, 0);
	CHECK_LONG(hosts_emit_due(&s, 100 * (int64_t)HOSTS_WAIT), -1);
	CHECK_TEXT(order, "");
	add(&s, 1, 3, 30, 0, 100 * (int64_t)HOSTS_WAIT);
	hosts_end(&s, 1);
	CHECK_LONG(hosts_emit_due(&s, 100 * (int64_t)HOSTS_WAIT), -1);
	CHECK_TEXT(order, "a1 b3 a2 ");
	hosts_deinit(&s);
}

/* Times that go back, or a hit in pieces: a machine's records come as it sends them. */
static void as_sent(void)
{
	struct hosts s;

	*order = 0;
	CHECK(!hosts_init(&s, 2, take_record, NULL));
	hosts_open(&s, 0, 0);
	hosts_open(&s, 1, 0);
	add(&s, 0, 9, 50, RECORD_MORE, 0);
	add(&s, 0, 9, 52, 0, 0);
	add(&s, 0, 3, 44, 0, 0);
	add(&s, 1, 1, 51, 0, 0);
	hosts_end(&s, 0);
	hosts_end(&s, 1);
	CHECK_LONG(hosts_emit_due(&s, 0), -1);
	CHECK_TEXT(order, "a9 a9 a3 b1 ");
	hosts_deinit(&s);
}

static unsigned long long emitted, out_of_order;
static uint64_t last_of[4];

static void count_record(void *ctx, unsigned host, unsigned ring, const struct stp_record *head,
			 const uint8_t *body)
{
	emitted++;
	out_of_order += head->time <= last_of[host];
	last_of[host] = head->time;
}

/* Many records of all sizes, none of which is lost, doubled or overtaken. */
static void flood(void)
{
	static uint8_t body[STP_RECORD_MAX + 8];
	uint64_t times[4] = { 0 }, added = 0;
	struct hosts s;

	CHECK(!hosts_init(&s, 4, count_record, NULL));
	for (unsigned i = 0; i < 4; i++)
		hosts_open(&s, i, 0);
	for (unsigned i = 0; i < 20000; i++) {
		unsigned host = unit_random() % 4;
		const struct stp_record head = {
			.time = ++times[host],
			.len = (uint16_t)(unit_random() % 64 ? unit_random() % 99 : STP_RECORD_MAX),
			.kind = RECORD_OUTPUT
		};

		hosts_add(&s, host, &(struct hosts_origin){ head.time, 0 }, head.time, &head, body,
			  (int64_t)i * 100000);
		added++;
		if (unit_random() % 50 == 0)
			hosts_emit_due(&s, (int64_t)i * 100000);
	}
	for (unsigned i = 0; i < 4; i++)
		hosts_end(&s, i);
	CHECK_LONG(hosts_emit_due(&s, 0), -1);
	CHECK_LONG(emitted, added);
	CHECK_LONG(out_of_order, 0);
	CHECK(!s.no_memory);
	hosts_deinit(&s);
}

int main(void)
{
	RUN(stream_in_pieces);
	RUN(damage);
	RUN(by_time);
	RUN(patient);
	RUN(as_sent);
	RUN(flood);
	return unit_end();
}
