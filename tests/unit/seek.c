/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of a trace by its times: trace/source/join.c with trace/source/join_seek.c, in
 * raw files with marks, rotated ones, and those whose marks are damaged; what is
 * written again as raw files; and the moments that users write (trace/moment.c).
 */
#include <dirent.h>
#include <unistd.h>

#include "tablebytes.h"
#include "unit.h"

#include "trace/moment.h"
#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/raw.h"

#define RINGS 3
#define HITS  500000
#define TEXT  "0123456789abcdef"

static char dir[64] = "/tmp/stapio-seek-XXXXXX";
static const char books_text[] = "probe\t0\t0\t500000\t500000\t0\t0\tone\n";

/* Hit n has the time 1000 + n; the last ring has the last hits alone. */
static void make_run(const struct rotation *rotation)
{
	struct filename name = { .pattern = "raw_%c", .module = "m", .host = "h", .cpu = -1 };
	struct stp_record head = { .len = 10 + 2 + 16, .flags = RECORD_FIRST };
	const char *const formats[] = { "%d%s\n", "one\tn\tt", NULL };
	const char *const probes[] = { "one", NULL };
	uint8_t record[sizeof(head) + 32] = { 0 };
	struct tables t;
	struct raw raw;
	size_t size;
	char *bytes;

	bytes = table_bytes(formats, &size);
	CHECK(!dictionary_formats(&t, bytes, size, 1, true));
	bytes = table_bytes(probes, &size);
	CHECK(!dictionary_init(&t.probes, bytes, size, 1));
	CHECK_LONG(raw_init(&raw, &name, rotation, &t, RINGS), 0);
	raw.header.session = 77;
	for (uint64_t n = 0; n < HITS; n++) {
		unsigned ring = n >= HITS - 10 ? 2 : unit_random() % 8 ? 0 : 1;
		uint16_t len = 16;

		head.time = 1000 + n;
		memcpy(record, &head, sizeof(head));
		memcpy(record + 18, &n, sizeof(n));
		memcpy(record + 26, &len, sizeof(len));
		memcpy(record + 28, TEXT, 16);
		CHECK_LONG(raw_write(&raw, ring, record, sizeof(record)), 0);
	}
	CHECK(raw_close(&raw, books_text));
	raw_deinit(&raw);
	dictionary_deinit(&t);
}

static char *names[256];
static unsigned nnames;

static void find_files(const char *prefix)
{
	DIR *d = opendir(".");
	struct dirent *e;

	while (nnames)
		free(names[--nnames]);
	while ((e = readdir(d)))
		if (!strncmp(e->d_name, prefix, strlen(prefix)) && nnames < 256)
			names[nnames++] = strdup(e->d_name);
	closedir(d);
}

static void remove_files(const char *prefix)
{
	find_files(prefix);
	for (unsigned i = 0; i < nnames; i++)
		unlink(names[i]);
}

static uint64_t bytes_read(void)
{
	FILE *f = fopen("/proc/self/io", "r");
	unsigned long long ret = 0;

	if (f && fscanf(f, "rchar: %llu", &ret) != 1)
		ret = 0;
	if (f)
		fclose(f);
	return ret;
}

/* Reads the hits from..to, into files of raw when it is not NULL. True: nothing wrong. */
static bool read_between(uint64_t from, uint64_t to, struct raw *raw)
{
	struct filename name = { .pattern = "joined", .module = "m", .host = "h", .cpu = -1 },
			again = { .pattern = "again_%c", .module = "m", .host = "h", .cpu = -1 };
	static struct join j;
	struct output out;
	bool ok;

	CHECK_LONG(series_output(&out, &name, &(struct rotation){ 0 }), 0);
	CHECK(join_file_open(&j, names, nnames, &out));
	if (raw) {
		CHECK_LONG(raw_init(raw, &again, &(struct rotation){ 0 }, &j.tables, j.nrings), 0);
		raw_start(raw, &j.records);
	}
	join_between(&j, 1000 + from, 1000 + to);
	join_run(&j);
	join_check(&j);
	CHECK(j.has_books);
	ok = !j.damaged;
	if (raw) {
		CHECK(raw_close(raw, j.books_copy));
		raw_deinit(raw);
	}
	join_close(&j);
	return output_close(&out) && ok;
}

/* The text of the hits is there, and nothing else. */
static void check_text(uint64_t from, uint64_t to)
{
	FILE *f = fopen("joined", "r");
	char line[64], wanted[64];

	for (uint64_t n = from; n <= to && n < HITS; n++) {
		snprintf(wanted, sizeof(wanted), "%llu" TEXT "\n", (unsigned long long)n);
		if (!fgets(line, sizeof(line), f) || strcmp(line, wanted) != 0) {
			CHECK_TEXT(line, wanted);
			break;
		}
	}
	CHECK(!fgets(line, sizeof(line), f));
	fclose(f);
	unlink("joined");
}

static const struct {
	uint64_t from, to;
} ranges[] = { { 0, 5 },
	       { 0, HITS },
	       { 250000, 250100 },
	       { HITS - 5, HITS + 100 },
	       { HITS - 20, HITS - 8 },
	       { 123456, 123456 },
	       { HITS + 5, UINT64_MAX - 2000 },
	       { 400000, HITS } };

static void check_ranges(bool sound)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		bool ok = read_between(ranges[i].from, ranges[i].to, NULL);

		CHECK(ok || !sound);
		check_text(ranges[i].from, ranges[i].to);
	}
}

static void one_file_each(void)
{
	uint64_t before;

	make_run(&(struct rotation){ 0 });
	find_files("raw_");
	check_ranges(true);
	before = bytes_read();
	CHECK(read_between(250000, 250100, NULL));
	/* of 24 MB, in two files */
	CHECK(bytes_read() - before < 8u << 20);
	unlink("joined");
}

/* What was written again has the hits that were chosen, and the books. */
static void again(void)
{
	struct raw raw;

	CHECK(read_between(250000, 250100, &raw));
	unlink("joined");
	find_files("again_");
	CHECK(nnames >= 2);
	CHECK(read_between(0, HITS, NULL));
	check_text(250000, 250100);
	remove_files("again_");
}

static void rotated(void)
{
	remove_files("raw_");
	make_run(&(struct rotation){ .bytes = 1500000 });
	find_files("raw_");
	CHECK(nnames > 10);
	check_ranges(true);
	remove_files("raw_");
}

/* Marks that lie, or are none: what comes is in order, and nothing crashes. */
static void damaged(void)
{
	static uint8_t data[24 << 20];
	size_t size;
	FILE *f;

	make_run(&(struct rotation){ 0 });
	f = fopen("raw_0", "r");
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	for (size_t at = 0; at + 40 < size; at += 8) {
		if (memcmp(data + at, RAW_MARK_MAGIC, 8) != 0)
			continue;
		if (unit_random() % 2)
			data[at + 8] ^= 1; /* of another session */
		else
			data[at + 16] ^= 64; /* at another place */
	}
	f = fopen("raw_0", "w");
	fwrite(data, 1, size, f);
	fclose(f);
	find_files("raw_");
	check_ranges(true);
	remove_files("raw_");
}

static uint64_t time_of(const char *text)
{
	/* 2026-11-23 23:59:00 UTC */
	const uint64_t start = 1795478340ull * 1000000000;
	struct moment w;

	return moment_parse(text, &w) ? 1 : moment_time(&w, start, 5000000000ull);
}

static void moments(void)
{
	setenv("TZ", "UTC", 1);
	CHECK_LONG(time_of("0"), 5000000000);
	CHECK_LONG(time_of("2.25"), 7250000000);
	CHECK_LONG(time_of("@1795478341.000000001"), 6000000001);
	CHECK_LONG(time_of("@1795478339"), 4000000000);
	CHECK_LONG(time_of("@1"), 0);
	CHECK_LONG(time_of("23:59:00.5"), 5500000000);
	CHECK_LONG(time_of("00:00:00"), 65000000000);
	CHECK_LONG(time_of("2026-11-24 00:00:01"), 66000000000);
	for (size_t i = 0; i < 9; i++)
		CHECK_LONG(time_of((const char *[]){ "", "x", "1x", "1.", "@", "-1", "25:00:00",
						     "99999999999999999999", "1:00:00 " }[i]),
			   1);
}

int main(void)
{
	message_setup(0, true);
	if (!unit_enter(dir))
		return 1;
	RUN(one_file_each);
	RUN(again);
	RUN(rotated);
	RUN(damaged);
	RUN(moments);
	find_files("none");
	unit_leave(dir);
	return unit_end();
}
