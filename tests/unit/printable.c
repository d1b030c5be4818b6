/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/printable.c: nothing that others say acts on a terminal, or takes more
 * room.
 */
#include "unit.h"

#include "lib/printable.c"

static const char *made(const char *text)
{
	static char ret[256];

	snprintf(ret, sizeof(ret), "%s", text);
	printable_make(ret, strlen(ret));
	return ret;
}

static void controls(void)
{
	CHECK_TEXT(made("a\tb\nc"), "a\tb\nc");
	CHECK_TEXT(made("\033[31mred\r\a\b\x7f"), "?[31mred????");
	CHECK_TEXT(made("\xc2\x9b"
			"31m"),
		   "??31m"); /* U+009B is ESC [ */
	CHECK_TEXT(made("\x9b"
			"31m"),
		   "?31m");
	CHECK_TEXT(made("\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		   "\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	/* ESC and U+009B in longer forms, a half of UTF-16, more than Unicode has */
	CHECK_TEXT(made("\xe0\x80\x9b"
			"31m"),
		   "???31m");
	CHECK_TEXT(made("\xe0\x82\x9b"
			"31m"),
		   "???31m");
	CHECK_TEXT(made("\xf0\x80\x80\x9b"
			"31m"),
		   "????31m");
	CHECK_TEXT(made("\xf0\x80\x82\x9b"
			"31m"),
		   "????31m");
	CHECK_TEXT(made("\xed\xa0\x80\xf4\x90\x80\x80"), "???????");
	CHECK_TEXT(made("\xe0\xa0\x80\xed\x9f\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
		   "\xe0\xa0\x80\xed\x9f\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
	CHECK_TEXT(made("\xc0\x9b\xf8\xff\xe2\x82"
			"a\xf0\x9f"),
		   "?????"
		   "?a??");
}

static void lines(void)
{
	char text[] = "one\ttwo\n\033";

	CHECK_TEXT(printable_line(text), "one two ?");
}

/* However the text is cut, its pieces are the whole. */
static void pieces(void)
{
	static const char all[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
	char buf[64], out[64];

	for (size_t step = 1; step < sizeof(all); step++) {
		size_t kept = 0, done = 0;

		for (size_t at = 0; at < sizeof(all) - 1; at += step) {
			size_t n = sizeof(all) - 1 - at < step ? sizeof(all) - 1 - at : step, whole;

			memcpy(buf + kept, all + at, n);
			n += kept;
			whole = printable_whole(buf, n);
			CHECK(n - whole < 4);
			printable_make(buf, whole);
			memcpy(out + done, buf, whole);
			done += whole;
			kept = n - whole;
			memmove(buf, buf + whole, kept);
		}
		out[done] = 0;
		CHECK_TEXT(out, all);
	}
	CHECK_LONG(printable_whole("", 0), 0);
	CHECK_LONG(printable_whole("\x80\x80\x80\x80", 4), 4);
	CHECK_LONG(printable_whole("\xff", 1), 1);
}

static void last(void)
{
	struct printable_last l = { "" };
	char *large = malloc(1 << 20);

	printable_keep(&l, "first\033", 6);
	CHECK_TEXT(l.text, "first?");
	memset(large, 'x', 1 << 20);
	large[PRINTABLE_LAST - 2] = '\xc3'; /* a character that the end would cut */
	large[PRINTABLE_LAST - 1] = '\xa9';
	printable_keep(&l, large, 1 << 20);
	CHECK_LONG(strlen(l.text), PRINTABLE_LAST - 2);
	CHECK_LONG(strspn(l.text, "x"), PRINTABLE_LAST - 2);
	printable_keep(&l, "a\0b\n", 4);
	CHECK_TEXT(l.text, "a?b ");
	printable_keep(&l, "", 0);
	CHECK_TEXT(l.text, "");
	free(large);
}

int main(void)
{
	RUN(controls);
	RUN(lines);
	RUN(pieces);
	RUN(last);
	return unit_end();
}
