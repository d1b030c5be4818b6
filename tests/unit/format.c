/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio/format.c prints the same as core/printf.c, with buffers that are nearly full;
 * core/decimal.h prints the same as printf().
 */
#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/record_format.h"
#include "core/decimal.h"
#include "stapio/format.h"
#include "stapio/output.h"

static const struct stp_format_text texts[] = {
	{ "%d %s %d\n", 9 },
	{ "%5d|%-8s|%#x%%", 14 },
	{ "%i%u%s", 6 },
	{ "no arguments", 12 },
	{ "sixteen, exactly%d%d%%and more than two times sixteen%%%s%d", 59 },
	{ "%d %q", 5 },
};
#define DAMAGED 5

static void number_is(uint64_t v)
{
	char made[32], wanted[32];

	*stp_decimal(made, v) = 0;
	snprintf(wanted, sizeof(wanted), "%" PRIu64, v);
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
	static const char *const letters[] = { "dsd", "dsd", "dds", "", "ddsd" };
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
	return unit_end();
}
