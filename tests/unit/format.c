/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/form/format.c prints the same as core/printf.c, with buffers that are nearly
 * full, and trace/form/textrun.c the same as format.c; core/decimal.h and
 * core/hexdigits.h print the same as printf().
 */
#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/decimal.h"
#include "core/hexdigits.h"
#include "core/record_format.h"
#include "trace/form/format.h"
#include "trace/form/textrun.h"
#include "trace/output.h"

static const struct stp_format_text texts[] = {
	{ "%d %s %d\n", 9 },
	{ "%5d|%-8s|%#x%%", 14 },
	{ "%i%u%s", 6 },
	{ "no arguments", 12 },
	{ "sixteen, exactly%d%d%%and more than two times sixteen%%%s%d", 59 },
	{ "%5u|%08x|%-20s|%#10x|%-6d|%020d|%u|", 35 },
	{ "%p %(name)d %ld%% %-12p|%127d|%128d", 35 },
	{ "%2b%-30m%.3s%4.2b%-9.1b%30s%0s%b%-12.5s", 39 },
	{ "%-5x|%+d|% d|%.4d|%X", 20 },
	{ "%d %q", 5 },
};
#define DAMAGED 9

static void number_is(uint64_t v)
{
	char made[32], wanted[32];

	*stp_decimal(made, v) = 0;
	snprintf(wanted, sizeof(wanted), "%" PRIu64, v);
	CHECK_TEXT(made, wanted);
	made[stp_hexdigits(made, v)] = 0;
	snprintf(wanted, sizeof(wanted), "%" PRIx64, v);
	CHECK_TEXT(made, wanted);
}

static void numbers(void)
{
	uint64_t power = 1;

	for (int i = 0; i < 20; i++, power *= 10) {
		number_is(power - 1);
		number_is(power);
		number_is(power + 1);
	}
	number_is(UINT64_MAX);
	number_is(UINT64_MAX << 32);
	number_is(UINT64_MAX << 32 | 0x81012345);
	for (int i = 0; i < 1000000; i++)
		number_is(((uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^
			   (uint64_t)random()) >>
			  random() % 64);
}

static uint8_t *put(uint8_t *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}

/* Some of them are few, which come again and again in the same place; some are times. */
static int64_t random_number(void)
{
	static const int64_t often[] = { 0, 0, 7, -7, 123, 99999999, 100000000 };
	static int64_t now = 1799990000;

	if (random() % 2)
		return now += random() % (random() % 100 ? 3000 : 30000000);
	if (random() % 2)
		return often[(size_t)random() % (sizeof(often) / sizeof(often[0]))];
	return (int64_t)((uint64_t)random() << 33 ^ (uint64_t)random()) >> random() % 64;
}

/* Makes an item of that format with random arguments. */
static size_t make_item(uint8_t *body, uint16_t format, const char *letters)
{
	uint8_t *p = put(body, &format, sizeof(format));

	for (; *letters; letters++) {
		int64_t number = random_number();
		uint16_t len = (uint16_t)(random() % (random() % 8 ? 20 : 200));

		if (*letters == 'd') {
			p = put(p, &number, sizeof(number));
			continue;
		}
		p = put(p, &len, sizeof(len));
		for (; len; len--)
			*p++ = (uint8_t)('a' + random() % 26);
	}
	return (size_t)(p - body);
}

static const char *const letters[] = { "dsd",	  "dsd",    "dds",	 "",	 "ddsd",
				       "ddsdddd", "dddddd", "dssddssds", "ddddd" };
static char wanted[4096];

static void want(void *ctx, const char *s, size_t len)
{
	size_t *at = ctx;

	memcpy(wanted + *at, s, len);
	*at += len;
}

/* Compares the texts. room: bytes left in the output's buffer before an item. */
static void same_text(struct formats *f, struct output *o, size_t room)
{
	uint16_t format = (uint16_t)(random() % DAMAGED);
	uint8_t body[2048];
	size_t len = make_item(body, format, letters[format]), wanted_len = 0;

	o->used = o->begun = OUTPUT_BUFFER - room;
	CHECK(stp_record_format(texts, DAMAGED, body, len, want, &wanted_len));
	CHECK(formats_write(f, body, len, o));
	if (room > wanted_len) {
		CHECK_LONG((long long)o->used, (long long)(OUTPUT_BUFFER - room + wanted_len));
		CHECK(!memcmp(o->buf + OUTPUT_BUFFER - room, wanted, wanted_len));
	}
	CHECK(!len || !formats_write(f, body, len - 1, o) || !*letters[format]);
}

static void records(void)
{
	struct output o = { .fd = open("/dev/null", O_WRONLY), .buf = malloc(OUTPUT_BUFFER) };
	uint16_t damaged = DAMAGED, none = 100;
	struct formats f;
	uint8_t body[64];

	CHECK(formats_init(&f, texts, sizeof(texts) / sizeof(texts[0])));
	for (int i = 0; i < 100000; i++)
		same_text(&f, &o, 1 + (size_t)random() % 800);
	o.used = 0;
	put(body, &damaged, sizeof(damaged));
	CHECK(!formats_write(&f, body, 10, &o));
	put(body, &none, sizeof(none));
	CHECK(!formats_write(&f, body, 2, &o));
	CHECK(!formats_write(&f, body, 1, &o));
	close(o.fd);
	free(o.buf);
	formats_deinit(&f);
}

/* ---- many records at a time ---- */

struct written {
	struct output output;
	struct formats formats;
	uint64_t records, late, last_time;
};

static void written_init(struct written *w)
{
	*w = (struct written){ .output = { .fd = memfd_create("text", 0),
					   .buf = malloc(OUTPUT_BUFFER),
					   .ends = malloc(OUTPUT_ENDS * sizeof(uint32_t)) } };
	CHECK(formats_init(&w->formats, texts, sizeof(texts) / sizeof(texts[0])));
}

static void written_deinit(struct written *w)
{
	formats_deinit(&w->formats);
	close(w->output.fd);
	free(w->output.buf);
	free(w->output.ends);
}

/* Makes a record of one to three items. Few of them are not what a module writes. */
static size_t make_record(uint8_t *to, uint64_t time)
{
	struct stp_record head = { .time = time - (random() % 50 == 0), .flags = RECORD_FIRST };
	uint8_t *body = to + sizeof(head);
	size_t len = 0, padded;

	for (long items = random() % 8 ? 1 : random() % 4; items > 0; items--) {
		uint16_t format = (uint16_t)(random() % DAMAGED);

		len += make_item(body + len, format, letters[format]);
	}
	if (random() % 400 == 0)
		body[(size_t)random() % (len + 1)] ^= 0xff;
	if (random() % 400 == 0)
		len -= len > 0;
	if (random() % 100 == 0)
		head.kind = RECORD_LOG;
	if (random() % 100 == 0)
		head.flags |= RECORD_MORE;
	head.len = (uint16_t)len;
	memcpy(to, &head, sizeof(head));
	padded = STP_RECORD_ALIGN(len);
	memset(body + len, 0, padded - len);
	return sizeof(head) + padded;
}

/* Returns the end of the record, or NULL: it is damaged. */
static const uint8_t *write_one(struct written *w, const uint8_t *at)
{
	const struct stp_record *head = (const struct stp_record *)at;

	if (!formats_write(&w->formats, at + sizeof(*head), head->len, &w->output))
		return NULL;
	if (!(head->flags & RECORD_MORE))
		output_record_end(&w->output);
	w->records++;
	w->late += head->time < w->last_time;
	w->last_time = head->time;
	return at + sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
}

/* Writes records together where that is possible. Returns how many were. */
static uint64_t write_runs(struct written *w, const uint8_t *at, const uint8_t *end)
{
	uint64_t together = 0;

	while (at && at < end) {
		struct textrun run = { .at = at, .end = end, .until = UINT64_MAX };

		run.last_time = w->last_time;
		if (output_takes_runs(&w->output))
			textrun_write(&run, &w->formats, &w->output);
		together += run.records;
		w->records += run.records;
		w->late += run.late;
		w->last_time = run.last_time;
		at = run.at < end ? write_one(w, run.at) : end;
	}
	return together;
}

static void same_files(struct written *a, struct written *b)
{
	off_t size;
	char *x, *y;

	output_flush_all(&a->output);
	output_flush_all(&b->output);
	size = lseek(a->output.fd, 0, SEEK_CUR);
	CHECK_LONG(lseek(b->output.fd, 0, SEEK_CUR), size);
	x = mmap(NULL, (size_t)size + 1, PROT_READ, MAP_SHARED, a->output.fd, 0);
	y = mmap(NULL, (size_t)size + 1, PROT_READ, MAP_SHARED, b->output.fd, 0);
	CHECK(x != MAP_FAILED && y != MAP_FAILED && !memcmp(x, y, (size_t)size));
	munmap(x, (size_t)size + 1);
	munmap(y, (size_t)size + 1);
	CHECK_LONG((long long)a->output.written, (long long)b->output.written);
	CHECK_LONG((long long)a->records, (long long)b->records);
	CHECK_LONG((long long)a->late, (long long)b->late);
}

/* Returns how many records were written together. */
static uint64_t same_run(uint8_t *buf, size_t most)
{
	struct written together, alone;
	size_t used = 0;
	uint64_t ret;

	written_init(&together);
	written_init(&alone);
	for (uint64_t time = 1; used + 2048 < most; time++)
		used += make_record(buf + used, time);
	for (const uint8_t *at = buf; at && at < buf + used;)
		at = write_one(&alone, at);
	ret = write_runs(&together, buf, buf + used);
	same_files(&alone, &together);
	written_deinit(&together);
	written_deinit(&alone);
	return ret;
}

/* The buffers of texts and of ends get full on the way. */
static void runs(void)
{
	size_t most = 1u << 20;
	uint8_t *buf = malloc(most + FORMAT_SHORT);
	uint64_t together = 0;

	for (int i = 0; i < 200; i++)
		together += same_run(buf, i % 10 ? 20000 : most);
	CHECK(together > 5000);
	free(buf);
}

/* No record is read that is not whole, nor one that is later. */
static void ends_of_runs(void)
{
	uint8_t *buf = malloc(256), *at = buf;
	struct written w;

	written_init(&w);
	for (uint64_t time = 1; time < 4; time++, at += 32) {
		struct stp_record head = { .time = time, .len = 9 };
		uint16_t format = STP_FORMAT_TEXT, len = 5;

		put(put(put(put(at, &head, sizeof(head)), &format, 2), &len, 2), "text\n", 5);
	}
	for (size_t cut = 0; cut < 96; cut++) {
		struct textrun run = { .at = buf, .end = buf + cut, .until = 2 };

		textrun_write(&run, &w.formats, &w.output);
		CHECK_LONG(run.at - buf, cut / 32 > 2 ? 64 : (long long)cut / 32 * 32);
		CHECK_LONG((long long)run.records, (run.at - buf) / 32);
		CHECK_LONG((long long)w.output.used, (run.at - buf) / 32 * 5);
		w.output.used = w.output.begun = w.output.nends = 0;
	}
	written_deinit(&w);
	free(buf);
}

/* Rows of heat maps: plain strings get colours, numbers and padded fields do not. */
static void colors(void)
{
	static const struct stp_format_text rows[] = { { "%d|%s|%d\n", 9 }, { "%d|%-8s|", 8 } };
	struct output o = { .fd = -1, .buf = malloc(OUTPUT_BUFFER) };
	uint8_t body[64], *p = body;
	uint16_t format = 0, len = 7;
	int64_t n = 5;
	struct formats f;

	CHECK(formats_init(&f, rows, 2));
	formats_color(&f, 0, 0);
	formats_color(&f, 0, 1);
	formats_color(&f, 1, 1);
	p = put(put(p, &format, sizeof(format)), &n, sizeof(n));
	p = put(put(put(p, &len, sizeof(len)), " ..@@x ", len), &n, sizeof(n));
	CHECK(formats_write(&f, body, (size_t)(p - body), &o));
	o.buf[o.used] = 0;
	CHECK_TEXT((char *)o.buf, "5| \033[34m..\033[m\033[31;1m@@\033[mx |5\n");
	CHECK(!formats_write(&f, body, 12, &o));
	o.used = 0;
	format = 1;
	put(body, &format, sizeof(format));
	CHECK(formats_write(&f, body, (size_t)(p - body) - sizeof(n), &o));
	o.buf[o.used] = 0;
	CHECK_TEXT((char *)o.buf, "5| ..@@x  |");
	free(o.buf);
	formats_deinit(&f);
}

int main(void)
{
	RUN(numbers);
	RUN(records);
	RUN(colors);
	RUN(runs);
	RUN(ends_of_runs);
	return unit_end();
}
