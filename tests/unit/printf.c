/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/printf.c: against the C library where both have a conversion, and case by case
 * where only scripts do.
 */
#include "core/printf.c"
#include "unit.h"

struct source {
	struct stp_format_args args;
	const int64_t *numbers;
	const char *bytes;
	uint32_t len;
	unsigned left;
};

static bool source_number(struct stp_format_args *a, int64_t *ret)
{
	struct source *s = (struct source *)a;

	if (!s->left)
		return false;
	s->left--;
	*ret = *s->numbers++;
	return true;
}

static bool source_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
{
	*s = ((struct source *)a)->bytes;
	*len = ((struct source *)a)->len;
	return true;
}

static char result[200000];
static size_t result_len;

static void put(void *ctx, const char *s, size_t len)
{
	if (result_len + len >= sizeof(result))
		len = sizeof(result) - 1 - result_len;
	memcpy(result + result_len, s, len);
	result_len += len;
	result[result_len] = 0;
}

static bool format(const char *text, const int64_t *numbers, unsigned n, const char *bytes,
		   uint32_t len)
{
	struct source s = { { source_number, source_bytes, 0 }, numbers, bytes, len, n };

	result_len = 0;
	result[0] = 0;
	return stp_format_run(text, (uint32_t)strlen(text), &s.args, put, NULL);
}

static int64_t random_number(void)
{
	uint64_t v = unit_random();

	switch (v % 5) {
	case 0:
		return (int64_t)(v >> 8 & 15) - 8;
	case 1:
		return INT64_MIN;
	case 2:
		return (int64_t)(unit_random() >> (v >> 8 & 63));
	case 3:
		return -(int64_t)(unit_random() >> 1 >> (v >> 8 & 63));
	default:
		return 0;
	}
}

/*
 * Zeros fill the field whatever the precision, 0 has a digit
 * and a prefix, and the prefix of octal numbers counts extra.
 */
static bool differs_from_c(const char *format_text, char conversion, int64_t v)
{
	bool precise = strchr(format_text, '.'), hash = strchr(format_text, '#');

	return (format_text[2] == '0' && precise) || (!v && (precise || hash)) ||
	       (hash && conversion == 'o');
}

/* %[flags][width][.precision]CONVERSION with a number. */
static void numbers_like_libc(void)
{
	static const char letters[] = "diuoxX";

	for (int i = 0; i < 200000; i++) {
		char ours[64] = "<%", theirs[64], wanted[512];
		int64_t v = random_number();
		char conversion = letters[unit_random() % 6];

		if (unit_random() % 3)
			sprintf(ours + strlen(ours), "%c", "-+ #0"[unit_random() % 5]);
		if (unit_random() % 2)
			sprintf(ours + strlen(ours), "%d", (int)(unit_random() % 90) + 1);
		if (unit_random() % 2)
			sprintf(ours + strlen(ours), ".%d", (int)(unit_random() % 90));
		strcpy(theirs, ours);
		sprintf(theirs + strlen(theirs), "ll%c>", conversion);
		sprintf(ours + strlen(ours), "%c>", conversion);
		/* Flags that mean nothing for a conversion are undefined in C. */
		if (strchr("uoxX", conversion) && strpbrk(ours, "+ "))
			continue;
		if (strchr("diu", conversion) && strchr(ours, '#'))
			continue;
		if (differs_from_c(ours, conversion, v))
			continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(wanted, sizeof(wanted), theirs, (long long)v);
#pragma GCC diagnostic pop
		CHECK(format(ours, &v, 1, NULL, 0));
		if (strcmp(result, wanted) && unit_failures++ < 5)
			printf("\"%s\" of %lld: \"%s\", not \"%s\"\n", ours, (long long)v, result,
			       wanted);
	}
}

static void prefixes(void)
{
	static const struct {
		const char *text, *wanted;
		int64_t v;
	} cases[] = {
		{ "%#x", "0x0", 0 }, { "%#X", "0X0", 0 },     { "%#o", "00", 0 },
		{ "%#o", "010", 8 }, { "%#6o", "   010", 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(format(cases[i].text, &cases[i].v, 1, NULL, 0));
		CHECK_TEXT(result, cases[i].wanted);
	}
}

static void strings_like_libc(void)
{
	static const char text[] = "The quick brown fox";

	for (int width = 0; width < 25; width++) {
		for (int precision = 0; precision < 25; precision++) {
			int64_t fields[] = { width, precision };
			char wanted[128];

			snprintf(wanted, sizeof(wanted), "[%*.*s]", width, precision, text);
			CHECK(format("[%*.*s]", fields, 2, text, sizeof(text) - 1));
			CHECK_TEXT(result, wanted);
		}
	}
}

static void check(const char *text, int64_t number, const char *wanted)
{
	CHECK(format(text, &number, 1, "a\001b", 3));
	CHECK_TEXT(result, wanted);
}

static void what_c_has_not(void)
{
	check("%p", 255, "0xff");
	check("%p", 0, "0x0");
	check("%8p|", 255, "    0xff|");
	check("%c%%", 'A', "A%");
	check("%3c|", 'A', "  A|");
	check("%-3c|", 'A', "A  |");
	check("%#c", '\n', "\\n");
	check("%#c", 1, "\\001");
	check("%#c", '"', "\\\"");
	check("%#c", 300, ",");
	check("%M", 0, "610162");
	check("%8M", 0, "  610162");
	check("%m", 0, "a\001b");
	check("%.0d", 0, "0");
	check("%.d", 0, "0");
	check("%08.5d", 42, "00000042");
	check("%020.10x", 42, "0000000000000000002a");
	check("%+05d", 42, "  +42"); /* one flag, then the width */
	check("%#010x", 42, "      0x2a");
	CHECK(format("[%*d]", (const int64_t[]){ -6, 42 }, 2, NULL, 0));
	CHECK_TEXT(result, "[42]");
	CHECK(format("[%.*d]", (const int64_t[]){ -1, 42 }, 2, NULL, 0));
	CHECK_TEXT(result, "[42]");
	CHECK(format("[%*s][%.*s]", (const int64_t[]){ -8, -2 }, 2, "ab", 2));
	CHECK_TEXT(result, "[ab][]");
}

static void binary(void)
{
	static const struct {
		const char *format;
		int before, size, behind;
	} fields[] = {
		{ "%.1b", 0, 1, 0 },  { "%.2b", 0, 2, 0 },   { "%.4b", 0, 4, 0 },
		{ "%.8b", 0, 8, 0 },  { "%.3b", 0, 8, 0 },   { "%8.4b", 4, 4, 0 },
		{ "%4.8b", 0, 8, 0 }, { "%10.2b", 8, 2, 0 }, { "%-10.2b", 0, 2, 8 },
		{ "%50b", 42, 8, 0 },
	};
	static const char zeros[64];
	int64_t v = 0x0807060504030201;

	for (int size = 1; size <= 8; size *= 2) {
		char text[16];

		sprintf(text, "%%%db", size);
		CHECK(format(text, &v, 1, NULL, 0));
		CHECK_LONG((long long)result_len, size);
		CHECK(!memcmp(result, &v, (size_t)size));
	}
	CHECK(format("%b", &v, 1, NULL, 0));
	CHECK_LONG((long long)result_len, 8);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		CHECK(format(fields[i].format, &v, 1, NULL, 0));
		CHECK_LONG((long long)result_len,
			   fields[i].before + fields[i].size + fields[i].behind);
		CHECK(!memcmp(result + fields[i].before, &v, (size_t)fields[i].size));
		CHECK(!memcmp(result, zeros, (size_t)fields[i].before));
		CHECK(!memcmp(result + fields[i].before + fields[i].size, zeros,
			      (size_t)fields[i].behind));
	}
}

static const char *error_of(const char *text)
{
	struct stp_directive d;
	const char *error;
	uint32_t pos = 0;

	while (stp_format_next(text, (uint32_t)strlen(text), &pos, &d, &error))
		;
	return error ? error : "";
}

static void bad_formats(void)
{
	CHECK_TEXT(error_of("%q"), "unknown conversion '%q'");
	CHECK_TEXT(error_of("x%n"), "unknown conversion '%n'");
	CHECK_TEXT(error_of("%5"), "the format ends inside a conversion");
	CHECK_TEXT(error_of("%"), "the format ends inside a conversion");
	CHECK_TEXT(error_of("%\001"), "unknown conversion");
	CHECK_TEXT(error_of("%d %s %% text"), "");
	CHECK(!format("%lld %", (const int64_t[]){ 5 }, 1, NULL, 0));
	CHECK_TEXT(result, "5 "); /* text before the damage */
	CHECK(!format("%d %d", (const int64_t[]){ 1 }, 1, NULL, 0));
}

/* Fields that would keep a handler busy for seconds are cut. */
static void huge_fields(void)
{
	int64_t fields[] = { INT64_MAX, 7 };

	CHECK(format("%*d", fields, 2, NULL, 0));
	CHECK_LONG((long long)result_len, 65535);
	CHECK(format("%99999999999d", fields + 1, 1, NULL, 0));
	CHECK_LONG((long long)result_len, 65535);
	fields[0] = INT64_MIN;
	CHECK(format("%*d|", fields, 2, NULL, 0));
	CHECK_TEXT(result, "7|");
}

int main(void)
{
	RUN(numbers_like_libc);
	RUN(prefixes);
	RUN(strings_like_libc);
	RUN(binary);
	RUN(bad_formats);
	RUN(huge_fields);
	RUN(what_c_has_not);
	return unit_end();
}
