/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/snapshot.c: the values of globals as text. */
#include "script.h"

static int64_t number = -7;
static char storage[64] = "two\twords\\\n\xff";
static struct stp_str text = { storage, 12 };
static struct stp_map *pairs, *names, *shared, *many;
static struct stp_stat *plain, *latency;
static struct stp_lock lock_pairs, lock_shared = { .adders = 1 };

static const struct stp_map_desc desc_pairs = {
	.name = "pairs",
	.nkeys = 2,
	.key_types = { STP_STRING, STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 50,
};
static const struct stp_map_desc desc_names = {
	.name = "names",
	.nkeys = 1,
	.key_types = { STP_LONG },
	.value_type = STP_STRING,
};
static const struct stp_map_desc desc_shared = {
	.name = "shared",
	.nkeys = 1,
	.key_types = { STP_STRING },
	.value_type = STP_STATS,
	.adds = true,
	.max_entries = 100,
	.keeps = STP_KEEP_SUM | STP_KEEP_MIN | STP_KEEP_MAX,
	.hist = STP_HIST_LINEAR,
	.low = -10,
	.high = 30,
	.width = 20,
};
static const struct stp_map_desc desc_many = {
	.name = "many",
	.nkeys = 1,
	.key_types = { STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 70000,
};
static const struct stp_stat_desc desc_plain = { .name = "plain" };
static const struct stp_stat_desc desc_latency = {
	.name = "latency",
	.keeps = STP_KEEP_SUM | STP_KEEP_MIN | STP_KEEP_MAX | STP_KEEP_SQUARES,
	.hist = STP_HIST_LOG,
};
static const struct stp_global globals[] = {
	{ .name = "number", .place = &number, .told = "use\tgauge\n" },
	{ .name = "text", .type = STP_STRING, .place = &text, .storage = storage, .told = "" },
	{ .name = "hidden", .place = &number },
	{ .name = "pairs",
	  .is_array = true,
	  .place = &pairs,
	  .desc = &desc_pairs,
	  .lock = &lock_pairs,
	  .told = "" },
	{ .name = "names",
	  .type = STP_STRING,
	  .is_array = true,
	  .place = &names,
	  .desc = &desc_names,
	  .told = "" },
	{ .name = "shared",
	  .type = STP_STATS,
	  .is_array = true,
	  .place = &shared,
	  .desc = &desc_shared,
	  .lock = &lock_shared,
	  .told = "" },
	{ .name = "many", .is_array = true, .place = &many, .desc = &desc_many, .told = "" },
	{ .name = "plain", .type = STP_STATS, .place = &plain, .desc = &desc_plain, .told = "" },
	{ .name = "latency",
	  .type = STP_STATS,
	  .place = &latency,
	  .desc = &desc_latency,
	  .told = "" },
};
static const struct stp_part *const parts[] = { &stp_arrays_part, &stp_stats_part };
const struct stp_script stp_script = { UNIT_LIMITS, .globals = globals, .nglobals = 9,
				       .parts = parts, .nparts = 2 };

static char *said;
static size_t said_len;
static FILE *said_file;

static void put(void *ctx, const char *piece)
{
	fputs(piece, said_file);
}

/* Has the text written, and returns it; it is valid until the next call. */
static const char *say(void)
{
	free(said);
	said_file = open_memstream(&said, &said_len);
	CHECK(stp_snapshot_write(put, NULL));
	fclose(said_file);
	return said;
}

static bool says(const char *lines)
{
	return strstr(said, lines);
}

static unsigned count_lines(const char *begin)
{
	unsigned n = 0;

	for (const char *at = said; (at = strstr(at, begin)); at++)
		n += at == said || at[-1] == '\n';
	return n;
}

static void fill(void)
{
	struct stp_ctx *c = unit_context();
	static const int64_t sizes[] = { INT64_MIN, -3, -1, 0, 1, 2, 3, 4, INT64_MAX };

	stp_map_set_i(c, pairs, (union stp_key[]){ { .s = unit_str("a\t\"b\"\n") }, { .i = -1 } },
		      INT64_MIN);
	stp_map_set_i(c, pairs, (union stp_key[]){ { .s = unit_str("") }, { .i = 2 } }, 3);
	stp_map_set_s(c, names, &(union stp_key){ .i = 5 }, unit_str("\x01\x7f\xc3\xa9"));
	for (int64_t v = -20; v <= 60; v += 10)
		stp_map_stat_add(c, shared, &(union stp_key){ .s = unit_str("k") }, v);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		stp_stat_add(c, latency, sizes[i]);
	c->work = INT64_MAX / 2;
	for (int64_t i = 0; i < 70000; i++)
		stp_map_set_i(c, many, &(union stp_key){ .i = i }, i);
	CHECK(!stp_failed(c));
}

static void values(void)
{
	say();
	CHECK(says("global\tnumber\tlong\tok\nuse\tgauge\nvalue\t-7\n"));
	CHECK(says("global\ttext\tstring\tok\nvalue\ttwo\\x09words\\x5c\\x0a\\xff\n"));
	CHECK(!says("hidden"));
	CHECK(says("global\tpairs\tlong\tok\nentries\t2\n"
		   "value\ta\\x09\"b\"\\x0a\t-1\t-9223372036854775808\nvalue\t\t2\t3\n"));
	CHECK(says("value\t5\t\\x01\\x7f\\xc3\\xa9\n"));
	/* A dash stands for a value that is not kept, or not there. */
	CHECK(says("global\tplain\tstats\tok\nvalue\t0\t-\t-\t-\t-\t-\n"));
	CHECK(said_len > 4 && !strcmp(said + said_len - 5, "\nend\n"));
}

static void histograms(void)
{
	CHECK(says("value\tk\t9\t180\t-20\t60\t20\t-\nhist\tlinear\t-10\t30\t20\t"
		   "-inf:-11:1\t-10:9:2\t10:29:2\t30:49:2\t50:inf:2\n"));
	CHECK(says("hist\tlog\t0\t0\t0\t-9223372036854775808:-9223372036854775808:1\t-3:-2:1\t"
		   "-1:-1:1\t0:0:1\t1:1:1\t2:3:2\t4:7:1\t"
		   "4611686018427387904:9223372036854775807:1\n"));
	CHECK(count_lines("hist\t") == 2);
}

/* A large array is cut, and says so; what is there is whole. */
static void bounds(void)
{
	const char *at = strstr(said, "global\tmany\t");

	CHECK(says("entries\t70000\n"));
	CHECK(strstr(at, "value\t0\t0\n") && strstr(at, "\nvalue\t65535\t65535\n"));
	CHECK(!strstr(at, "value\t65536\t"));
}

/* Whoever writes keeps its lock: the others are told all the same. */
static void locks(void)
{
	struct stp_lock_use writer = { &lock_pairs, STP_LOCK_WRITE },
			    adder = { &lock_shared, STP_LOCK_ADD };
	struct stp_cpu *cpu = stp_runtime.cpus[0];

	CHECK(stp_lock_try(cpu, &writer) && stp_lock_try(cpu, &adder));
	say();
	CHECK(says("global\tpairs\tlong\tbusy\nglobal\tnames\t"));
	CHECK(says("global\tshared\tstats\tbusy\nglobal\tmany\tlong\tok\n"));
	CHECK(!lock_pairs.refused);
	stp_lock_give_back(cpu, &writer);
	stp_lock_give_back(cpu, &adder);
	say();
	CHECK(says("global\tpairs\tlong\tok\n") && says("global\tshared\tstats\tok\n"));
	CHECK(stp_lock_try(cpu, &writer)); /* it was given back */
	stp_lock_give_back(cpu, &writer);
}

int main(void)
{
	CHECK(!stp_session_create());
	fill();
	RUN(values);
	RUN(histograms);
	RUN(bounds);
	RUN(locks);
	stp_session_destroy();
	free(said);
	return unit_end();
}
