/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exporter/livehosts.c: what stap says of the machines of --remote, in pieces of every
 * size; a reader gets what has changed; nonsense does no harm.
 */
#include "exporter/jsontext.c"
#include "exporter/livehosts.c"
#include "exporter/livestate.c"
#include "exporter/text.c"
#include "exporter/values.c"
#include "unit.h"

#define VALUES "state\t2\nglobal\ta\tlong\tok\nvalue\t7\nend\nprobe\t0\tany\t5\t4\t1\t0\tp\n"

static const char said[] = "host\t0\tone\nhost\t1\t<two>\nstate\t0\trunning\trunning\n"
			   "look\t0\t59\n" VALUES "switched\tok\nstate\t1\tfailed\tno \"route\"\n";

static void check_written(struct livehosts *l, uint64_t seen, const char *wanted)
{
	struct text t = { 0 };

	livehosts_write(l, seen, &t);
	CHECK_TEXT(t.s, wanted);
	text_free(&t);
}

#define TWO                                                                                        \
	"{\"n\":1,\"name\":\"\\u003ctwo>\",\"kind\":\"failed\",\"says\":\"no "                     \
	"\\u0022route\\u0022\"}"

static void test_pieces(void)
{
	for (size_t piece = 1; piece <= strlen(said); piece++) {
		struct livehosts *l = livehosts_create();
		char *answer;

		for (size_t at = 0; at < strlen(said); at += piece)
			livehosts_take(l, said + at,
				       piece < strlen(said) - at ? piece : strlen(said) - at, 9);
		CHECK_LONG(livehosts_count(l), 2);
		CHECK_LONG(livehosts_last(l), 5);
		CHECK(livehosts_answer(l, &answer));
		CHECK_TEXT(answer, "ok");
		free(answer);
		CHECK(!livehosts_answer(l, &answer));
		check_written(
			l, 0,
			"\"look\":5,\"hosts\":[{\"n\":0,\"name\":\"one\",\"kind\":\"running\","
			"\"says\":\"running\",\"look\":4,\"time\":9,\"globals\":[{\"name\":"
			"\"a\",\"type\":\"long\",\"whole\":true,\"rows\":[[[],\"7\"]]}],"
			"\"state\":\"running\",\"probes\":[[\"p\",5,4,1,0,0,0]],\"reasons\":{},"
			"\"contended\":{}}," TWO "]");
		check_written(l, 4, "\"look\":5,\"hosts\":[" TWO "]");
		check_written(l, 5, "\"look\":5,\"hosts\":[]");
		livehosts_free(l);
	}
}

/* Machines that there are not, lines without an end, and looks that are too long. */
static void test_nonsense(void)
{
	static const char *const wrong[] = {
		"state\t3\trunning\t\nlook\t3\t5\nlook\nstate\n\nhost\t0\tlast\n",
		"look\t-1\t5\n\t\t\nhost\t0\tlast\n",
	};
	struct livehosts *l;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		l = livehosts_create();
		livehosts_take(l, wrong[i], strlen(wrong[i]), 9);
		CHECK_LONG(livehosts_count(l), 1);
		livehosts_free(l);
	}
	l = livehosts_create();
	livehosts_take(l, "host\t0\tone\nlook\t0\t999999999\n", 28, 9);
	livehosts_take(l, "host\t1\ttwo\n", 11, 9);
	CHECK_LONG(livehosts_count(l), 1);
	livehosts_free(l);
}

int main(void)
{
	RUN(test_pieces);
	RUN(test_nonsense);
	return unit_end();
}
