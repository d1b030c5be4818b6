/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that core/prettylists.c shows: numbers and dates against the C library, text
 * against what it was made of, and lists of every kind over memory full of 0xff.
 */
#include "script.h"

#include <float.h>
#include <math.h>
#include <time.h>

#define ROUNDS 20000 /* random values */

const struct stp_script stp_script = { UNIT_LIMITS };

static char dst[64];

/* Returns the text of a value that a row shows, with what stands before and behind it. */
static const char *shown(struct stp_shape row, const void *value)
{
	struct stp_shape rows[] = { row, { .text = "" } };

	rows[0].text = "";
	return stp_show(unit_context(), dst, rows, STP_USER, (int64_t)(uintptr_t)value, 0).s;
}

static void floats(void)
{
	char wanted[200];

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t bits = unit_random();
		double v;
		long double wide;
		int exponent = (int)(unit_random() % 1990) - 995;

		memcpy(&v, &bits, 8);
		if (isfinite(v)) {
			snprintf(wanted, sizeof(wanted), "%.17g", v);
			CHECK_TEXT(
				shown((struct stp_shape){ .kind = STP_SHAPE_FLOAT, .size = 8 }, &v),
				wanted);
		}
		wide = ldexpl((long double)(bits | 1ull << 63), exponent - 63);
		if (sizeof(wide) != 16 || LDBL_MANT_DIG != 64)
			continue;
		snprintf(wanted, sizeof(wanted), "%.21Lg", i & 1 ? -wide : wide);
		wide = i & 1 ? -wide : wide;
		CHECK_TEXT(shown((struct stp_shape){ .kind = STP_SHAPE_FLOAT, .size = 10 }, &wide),
			   wanted);
	}
}

static void wide(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned __int128 v = (unsigned __int128)unit_random() << 64 | unit_random(), left;
		char wanted[50], *at = wanted + sizeof(wanted) - 1;
		bool negative;

		v >>= unit_random() % 127;
		negative = i & 1 && (__int128)v < 0;
		*at = 0;
		for (left = negative ? -v : v; left || !*at; left /= 10)
			*--at = (char)('0' + (int)(left % 10));
		if (negative)
			*--at = '-';
		CHECK_TEXT(shown((struct stp_shape){ .kind = STP_SHAPE_WIDE,
						     .size = 16,
						     .bit_size = i & 1 },
				 &v),
			   at);
	}
}

static void dates(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct {
			int64_t seconds;
			uint32_t nanoseconds;
		} v = { (int64_t)(unit_random() >> 20) - ((int64_t)1 << 36), 0 };
		time_t t = (v.seconds %= 250000000000) - 30000000000;
		char wanted[100];
		struct tm tm;

		v.seconds = t;
		gmtime_r(&t, &tm);
		snprintf(wanted, sizeof(wanted), "%04d-%02d-%02d %02d:%02d:%02d UTC",
			 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
			 tm.tm_sec);
		CHECK_TEXT(
			shown((struct stp_shape){ .kind = STP_SHAPE_DATE, .size = 8, .count = 8 },
			      &v),
			wanted);
	}
}

/* Lists whose numbers make no sense end soon. */
static void garbage(void)
{
	static const uint8_t kinds[] = { STP_SHAPE_DATA,   STP_SHAPE_COUNT,	 STP_SHAPE_BEHIND,
					 STP_SHAPE_LINKED, STP_SHAPE_CHUNKS,	 STP_SHAPE_DEQUE,
					 STP_SHAPE_RING,   STP_SHAPE_BEHIND_BITS };
	uint8_t memory[256];

	for (unsigned fill = 0; fill < 256; fill += 255) {
		memset(memory, (int)fill, sizeof(memory));
		for (unsigned i = 3; i < sizeof(kinds); i++) {
			struct stp_shape rows[] = {
				{ .kind = STP_SHAPE_DATA, .size = 8, .text = "" },
				{ .kind = STP_SHAPE_COUNT, .size = 8, .text = "", .offset = 8 },
				{ .kind = kinds[i],
				  .size = 8,
				  .text = "",
				  .offset = 16,
				  .count = 8 },
				{ .kind = STP_SHAPE_EACH, .text = "", .offset = 4, .count = 2 },
				{ .kind = STP_SHAPE_SIGNED, .size = 4, .text = "" },
				{ .kind = STP_SHAPE_NEXT, .text = "" },
				{ .text = "" },
			};
			struct stp_ctx *c = unit_context();
			struct stp_str s =
				stp_show(c, dst, rows, STP_USER, (int64_t)(uintptr_t)memory, 0);

			CHECK(!c->error && s.len < 100);
		}
	}
}

static void letters(void)
{
	struct {
		const void *address;
		uint64_t count;
	} v;
	struct stp_shape rows[] = {
		{ .kind = STP_SHAPE_DATA, .size = 8, .text = "" },
		{ .kind = STP_SHAPE_COUNT, .size = 8, .text = "", .offset = 8 },
		{ .kind = STP_SHAPE_LETTERS, .text = "" },
		{ .text = "" },
	};
	static const struct {
		unsigned unit;
		const void *text;
		uint64_t count;
		const char *wanted;
	} cases[] = {
		{ 1, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"ä€😀\"" },
		{ 1, "\xc3", 1, "\"\\303\"" },
		{ 1, "\xc0\xafx\xed\xa0\x80", 6, "\"\\300\\257x\\355\\240\\200\"" },
		{ 1, "\xe2\x80\xae", 3, "\"\\342\\200\\256\"" },
		{ 1, "a\n\"", 3, "\"a\\n\\\"\"" },
		{ 2, u"ä€😀\xd800", 5, "\"ä€😀\\ud800\"" },
		{ 4, U"ä😀\x110000", 3, "\"ä😀\\U00110000\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rows[2].size = (uint8_t)cases[i].unit;
		v.address = cases[i].text;
		v.count = cases[i].count;
		CHECK_TEXT(
			stp_show(unit_context(), dst, rows, STP_USER, (int64_t)(uintptr_t)&v, 0).s,
			cases[i].wanted);
	}
	/* Characters that two readings meet. */
	for (unsigned before = 0; before < 58; before++) {
		char text[80], wanted[90];

		memset(text, 'x', before);
		memcpy(text + before, "€y", 4);
		snprintf(wanted, sizeof(wanted), "\"%.*s€y\"", (int)before, text);
		rows[2].size = 1;
		v.address = text;
		v.count = before + 4;
		CHECK_TEXT(
			stp_show(unit_context(), dst, rows, STP_USER, (int64_t)(uintptr_t)&v, 0).s,
			wanted);
	}
}

int main(void)
{
	CHECK_LONG(stp_session_create(), 0);
	RUN(floats);
	RUN(wide);
	RUN(dates);
	RUN(letters);
	RUN(garbage);
	stp_session_destroy();
	return unit_end();
}
