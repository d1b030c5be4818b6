/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/record_format.c: whatever bytes it gets, it reads no others. */
#include "core/printf.c"
#include "core/record_format.c"
#include "unit.h"

static const struct stp_format_text formats[] = {
	{ "%s=%d\n", 6 },
	{ "plain", 5 },
	{ "%*.*M %m %c%b%p", 15 },
	{ "%s%s%s", 6 },
};
#define NFORMATS (sizeof(formats) / sizeof(formats[0]))

static char result[4096];
static size_t result_len;

static void put(void *ctx, const char *s, size_t len)
{
	if (result_len + len < sizeof(result)) {
		memcpy(result + result_len, s, len);
		result_len += len;
	}
	result[result_len] = 0;
}

static bool run(const void *body, size_t len)
{
	result_len = 0;
	result[0] = 0;
	return stp_record_format(formats, NFORMATS, body, len, put, NULL);
}

static const uint8_t good[] = { 0, 0, 3, 0, 'f', 'o',  'o',  42, 0, 0,	 0,  0,
				0, 0, 0, 1, 0,	 0xff, 0xff, 2,	 0, 'h', 'i' };

static void well_formed(void)
{
	CHECK(run(good, sizeof(good)));
	CHECK_TEXT(result, "foo=42\nplainhi");
	CHECK(run(good, 0));
	CHECK_TEXT(result, "");
}

static void cut_short(void)
{
	for (size_t n = 1; n < sizeof(good); n++)
		CHECK(run(good, n) == (n == 15 || n == 17));
}

static void unknown_format(void)
{
	const uint16_t body[] = { NFORMATS };

	CHECK(!run(body, sizeof(body)));
}

/* Bodies of their own size on the heap: AddressSanitizer sees a byte too much. */
static void garbage(void)
{
	for (int i = 0; i < 20000; i++) {
		size_t len = unit_random() % 60;
		uint8_t *body = malloc(len ? len : 1);

		for (size_t k = 0; k < len; k++)
			body[k] = (uint8_t)(unit_random() % 3 ? unit_random() % 6 : unit_random());
		run(body, len);
		free(body);
	}
}

int main(void)
{
	RUN(well_formed);
	RUN(cut_short);
	RUN(unknown_format);
	RUN(garbage);
	return unit_end();
}
