/* SPDX-License-Identifier: GPL-2.0-or-later */
/* News for a reader of the live page: everything at first, then what has changed. */
#include "exporter/jsontext.c"
#include "exporter/livestate.c"
#include "exporter/outputlines.c"
#include "exporter/text.c"
#include "exporter/values.c"
#include "unit.h"

static struct livestate *state;

/* Looks at a run that says that. */
static void look(const char *said)
{
	struct values v = { .state = STP_RUNNING };

	values_read(&v, said, strlen(said));
	livestate_look(state, &v, 5, livestate_last(state) + 1);
	values_free(&v);
}

/* Checks the globals that a reader gets who has seen that look. */
static void check_globals(uint64_t seen, const char *wanted)
{
	struct text t = { 0 };
	char *from, *to;

	livestate_write(state, seen, &t);
	from = strstr(t.s, "\"globals\":");
	to = strstr(t.s, ",\"state\":");
	CHECK(from && to);
	*to = 0;
	CHECK_TEXT(from + strlen("\"globals\":"), wanted);
	text_free(&t);
}

#define A "{\"name\":\"a\",\"type\":\"long\",\"entries\":"

static void test_changes(void)
{
	state = livestate_create();
	check_globals(0, "[]");
	look("global\ta\tlong\tok\nkey\tlong\tk\nentries\t2\nvalue\t2\t5\nvalue\t1\t7\n");
	check_globals(0, "[" A "2,\"keys\":[\"k\"],\"whole\":true,"
			 "\"rows\":[[[\"1\"],\"7\"],[[\"2\"],\"5\"]]}]");
	check_globals(1, "[]");
	// One row has changed.
	look("global\ta\tlong\tok\nkey\tlong\tk\nentries\t2\nvalue\t2\t6\nvalue\t1\t7\n");
	check_globals(1, "[" A "2,\"keys\":[\"k\"],\"rows\":[[[\"2\"],\"6\"]]}]");
	check_globals(2, "[]");
	// One more, between the two.
	look("global\ta\tlong\tok\nkey\tlong\tk\nentries\t3\nvalue\t2\t6\nvalue\t1\t7\n"
	     "value\t10\t0\n");
	check_globals(2, "[" A "3,\"keys\":[\"k\"],\"rows\":[[[\"10\"],\"0\"]]}]");
	// Busy: the rows stay, and nothing is said of them.
	look("global\ta\tlong\tbusy\nkey\tlong\tk\nentries\t3\n");
	check_globals(3, "[" A "3,\"keys\":[\"k\"],\"busy\":true,\"rows\":[]}]");
	// One has gone, which a reader of any look before learns.
	look("global\ta\tlong\tok\nkey\tlong\tk\nentries\t1\nvalue\t1\t7\n");
	for (uint64_t seen = 0; seen < 5; seen++)
		check_globals(seen, "[" A "1,\"keys\":[\"k\"],\"whole\":true,"
				    "\"rows\":[[[\"1\"],\"7\"]]}]");
	check_globals(5, "[]");
	livestate_free(state);
}

/* A busy global keeps its rows only while they are of its type. */
static void test_other_types(void)
{
	state = livestate_create();
	look("global\ta\tlong\tok\nvalue\t5\n");
	look("global\ta\tstats\tbusy\n");
	check_globals(0, "[{\"name\":\"a\",\"type\":\"stats\",\"busy\":true,\"whole\":true,"
			 "\"rows\":[]}]");
	livestate_free(state);
}

/* Checks that the bytes become that text in JSON. */
static void check_text(const char *bytes, size_t len, const char *wanted)
{
	struct text t = { 0 };

	jsontext_string(&t, bytes, len);
	CHECK_TEXT(t.s, wanted);
	text_free(&t);
}

static void test_texts(void)
{
	check_text("", 0, "\"\"");
	check_text("a\"\\\n\0\x7f</b>", 10, "\"a\\u0022\\u005c\\u000a\\u0000\\u007f\\u003c/b>\"");
	check_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
		   "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	// Cut off, too long, a surrogate, too large, and no first byte.
	check_text("\xe2\x82", 2, "\"\\ufffde2\\ufffd82\"");
	check_text("\xc0\xaf", 2, "\"\\ufffdc0\\ufffdaf\"");
	check_text("\xed\xa0\x80", 3, "\"\\ufffded\\ufffda0\\ufffd80\"");
	check_text("\xf4\x90\x80\x80", 4, "\"\\ufffdf4\\ufffd90\\ufffd80\\ufffd80\"");
	check_text("\xff", 1, "\"\\ufffdff\"");
}

static void test_lines(void)
{
	static struct outputlines lines;
	char number[16];

	outputlines_add(&lines, "one\ntw", 6);
	CHECK(lines.count == 1 && !strcmp(outputlines_get(&lines, 0), "one"));
	outputlines_add(&lines, "o\n\n", 3);
	CHECK(lines.count == 3 && !strcmp(outputlines_get(&lines, 1), "two") &&
	      !*outputlines_get(&lines, 2));
	outputlines_add(&lines, "rest", 4);
	outputlines_end(&lines);
	outputlines_end(&lines);
	CHECK(lines.count == 4 && !strcmp(outputlines_get(&lines, 3), "rest"));
	for (unsigned i = 4; i < OUTPUTLINES_MOST + 5; i++) {
		snprintf(number, sizeof(number), "%u\n", i);
		outputlines_add(&lines, number, strlen(number));
	}
	CHECK(outputlines_first(&lines) == 5 && !strcmp(outputlines_get(&lines, 5), "5"));
	// A line that is too long is cut.
	for (unsigned i = 0; i < OUTPUTLINES_LONGEST; i++)
		outputlines_add(&lines, "x", 1);
	outputlines_add(&lines, "y\n", 2);
	CHECK(strlen(outputlines_get(&lines, lines.count - 2)) == OUTPUTLINES_LONGEST);
	CHECK(!strcmp(outputlines_get(&lines, lines.count - 1), "y"));
	for (unsigned i = 0; i < OUTPUTLINES_MOST; i++)
		free(lines.lines[i]);
}

int main(void)
{
	RUN(test_changes);
	RUN(test_other_types);
	RUN(test_texts);
	RUN(test_lines);
	return unit_end();
}
