/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw files: trace/source/join.c joins the files of trace/source/raw.c to the same text
 * and JSON, rotated or not, in any order of the files; missing, cut and damaged files
 * are noticed, and damage of any kind is survived.
 */
#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tablebytes.h"
#include "unit.h"

#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/source/join.h"

#define RINGS 4 /* the last: of the probes that may sleep */
#define HITS  3000

static char dir[64] = "/tmp/stapio-raw-XXXXXX";
static const char books_text[] =
	"probe\t0\t0\t10\t8\t2\t0\tone\nprobe\t1\tslow\t1\t1\t0\t0\ttwo \"2\"\n"
	"unreturned\t1\t5\ttwo \"2\"\nskipped\tlock\t3\n"
	"contended\tnames\t3\n";

/* ---- the module: two formats, two probes ---- */

static void make_tables(struct tables *t)
{
	static const char *const formats[] = { "%d:%s\n", "%4b", "one\tnumber\ttext", "two", NULL },
				 *const probes[] = { "one", "two \"2\"", NULL };
	size_t size;
	char *bytes = table_bytes(formats, &size);

	CHECK(!dictionary_formats(t, bytes, size, 2, true));
	bytes = table_bytes(probes, &size);
	CHECK(!dictionary_init(&t->probes, bytes, size, 2));
}

/* ---- a run: the text it should give goes to `expected` ---- */

static char *expected;
static size_t expected_len;

static size_t put_record(uint8_t *to, struct stp_record h, const void *body, size_t len)
{
	h.len = (uint16_t)len;
	memset(to, 0, sizeof(h) + STP_RECORD_ALIGN((uint32_t)len));
	memcpy(to, &h, sizeof(h));
	memcpy(to + sizeof(h), body, len);
	return sizeof(h) + STP_RECORD_ALIGN((uint32_t)len);
}

static size_t item_line(uint8_t *body, int64_t number, const char *text)
{
	uint16_t format = 0, len = (uint16_t)strlen(text);

	memcpy(body, &format, 2);
	memcpy(body + 2, &number, 8);
	memcpy(body + 10, &len, 2);
	memcpy(body + 12, text, len);
	expected_len +=
		(size_t)sprintf(expected + expected_len, "%lld:%s\n", (long long)number, text);
	return 12u + len;
}

/* One hit, of one to three records. */
static size_t make_hit(uint8_t *to, unsigned ring, unsigned n)
{
	struct stp_record h = { .time = 1000 + n,
				.probe = ring + 1 == RINGS,
				.kind = RECORD_OUTPUT };
	unsigned parts = n % 10 ? 1 : 3;
	uint8_t body[400];
	char text[300];
	size_t size = 0;

	for (unsigned i = 0; i < parts; i++) {
		memset(text, 'a' + (int)(n % 26), sizeof(text));
		text[unit_random() % (sizeof(text) - 1)] = 0;
		text[sizeof(text) - 1] = 0;
		h.flags = i + 1 < parts ? RECORD_MORE : 0;
		size += put_record(to + size, h, body, item_line(body, n, text));
	}
	return size;
}

/* Writes a hit in one of two ways, where the file has both. */
static void write_hit(struct raw *raw, unsigned ring, unsigned n)
{
	static uint8_t records[65536];
	size_t size = make_hit(records, ring, n), room;
	char *place = unit_random() % 4 ? raw_place(raw, ring, &room) : NULL;

	if (place) {
		CHECK(size <= room);
		memcpy(place, records, size);
		raw_took(raw, ring, size);
	} else {
		CHECK_LONG(raw_write(raw, ring, records, size), 0);
	}
}

static void make_run(const struct rotation *rotation, bool with_books)
{
	struct filename name = { .pattern = "raw_%c", .module = "mod", .host = "host", .cpu = -1 };
	struct tables t;
	struct raw raw;

	free(expected);
	expected = malloc(HITS * 1000);
	expected_len = 0;
	make_tables(&t);
	CHECK_LONG(raw_init(&raw, &name, rotation, &t, RINGS), 0);
	for (unsigned n = 0; n < HITS; n++) {
		write_hit(&raw, (unsigned)(unit_random() % RINGS), n);
		if (unit_random() % 20 == 0)
			raw_flush(&raw);
		if (n == HITS / 2)
			raw_next_files(&raw);
	}
	CHECK(!raw_failed(&raw));
	CHECK(raw_close(&raw, with_books ? books_text : NULL));
	raw_deinit(&raw);
	dictionary_deinit(&t);
}

/* ---- joining ---- */

static char *names[256];
static unsigned nnames;

/* Finds all raw files of the directory, in the directory's order. */
static void find_files(void)
{
	DIR *d = opendir(".");
	struct dirent *e;

	nnames = 0;
	while ((e = readdir(d)))
		if (!strncmp(e->d_name, "raw_", 4) && nnames < 256)
			names[nnames++] = strdup(e->d_name);
	closedir(d);
}

static void forget_files(bool and_remove)
{
	for (unsigned i = 0; i < nnames; i++) {
		if (and_remove)
			unlink(names[i]);
		free(names[i]);
	}
	nnames = 0;
}

static char joined[4 << 20];
static size_t joined_len;
static struct join join;

static struct json json;

static void to_text(struct join *j)
{
}

static void to_json(struct join *j)
{
	json_start(&json, &j->records, j->nrings, j->module, j->host, &j->parts[0].header);
}

/* Joins the files to what form() begins. True: nothing was wrong. */
static bool join_them(void (*form)(struct join *j))
{
	struct filename name = { .pattern = "joined", .module = "m", .host = "h", .cpu = -1 };
	struct output out;
	bool opened;
	FILE *f;

	CHECK_LONG(series_output(&out, &name, &(struct rotation){ 0 }), 0);
	opened = join_file_open(&join, names, nnames, &out);
	if (opened) {
		form(&join);
		join_run(&join);
		join_check(&join);
	}
	if (join.has_books)
		records_books(&join.records, &join.books, join.merge.records, true);
	json_deinit(&json);
	output_close(&out);
	f = fopen("joined", "r");
	joined_len = fread(joined, 1, sizeof(joined) - 1, f);
	joined[joined_len] = 0;
	fclose(f);
	unlink("joined");
	return opened && !join.damaged;
}

static void check_whole(const struct rotation *r, unsigned least)
{
	make_run(r, true);
	find_files();
	CHECK(nnames >= least);
	CHECK(join_them(to_text));
	CHECK_LONG((long long)joined_len, (long long)expected_len);
	CHECK(!memcmp(joined, expected, expected_len));
	CHECK(join.has_books);
	CHECK_LONG((long long)join.books.total.hits, 11);
	CHECK_LONG((long long)books_lost(&join.books), 2);
	CHECK_LONG((long long)join.books.probes[1].unreturned, 5);
	join_close(&join);
	forget_files(true);
}

static void whole(void)
{
	check_whole(&(struct rotation){ 0 }, 2 * RINGS);
	check_whole(&(struct rotation){ .bytes = 16384 }, 40);
}

static void lines(void)
{
	size_t len = 0, objects = 0;
	const char *type = "";

	make_run(&(struct rotation){ 0 }, true);
	find_files();
	CHECK(join_them(to_json));
	for (char *line = joined, *end; (end = strchr(line, '\n')); line = end + 1, objects++) {
		json_t *o = json_loadb(line, (size_t)(end - line), 0, NULL);
		const char *text = json_string_value(json_object_get(o, "text"));

		type = json_string_value(json_object_get(o, "type"));
		CHECK(o && type);
		if (!objects)
			CHECK_TEXT(type, "start");
		if (text && !strcmp(type, "output")) {
			CHECK(!strncmp(expected + len, text, strlen(text)));
			len += strlen(text);
			CHECK(json_string_value(json_object_get(o, "probe")) != NULL);
		}
		if (!strcmp(type, "total"))
			CHECK_LONG(json_integer_value(json_object_get(o, "dropped")), 2);
		json_decref(o);
	}
	CHECK_LONG((long long)len, (long long)expected_len);
	/* start, records, rows, calls, reason, global, total */
	CHECK_LONG((long long)objects, 1 + HITS + 2 + 1 + 1 + 1 + 1);
	join_close(&join);
	forget_files(true);
}

/* Any bytes: as base64. */
static void json_bytes(void)
{
	static const struct {
		const char *text, *base64;
	} cases[] = { { "\xff", "/w==" },
		      { "\xff\xfe", "//4=" },
		      { "a\xc0z", "YcB6" },
		      { "\x80"
			"abc",
			"gGFiYw==" } };
	struct filename name = { .pattern = "bytes", .module = "m", .host = "h", .cpu = -1 };
	struct stp_record head = { .time = 1, .probe = STP_NO_PROBE, .kind = RECORD_LOG };
	struct tables t = { 0 };
	struct output out;
	struct records r = { .output = &out, .tables = &t };
	struct json j;
	char line[256], want[64];
	FILE *f;

	CHECK_LONG(series_output(&out, &name, &(struct rotation){ 0 }), 0);
	json_start(&j, &r, 2, "m", "h", NULL);
	/* a hit that prints nothing is the first */
	form_json.text(&j.form, 0, &head, NULL);
	for (size_t i = 0; i < 4; i++) {
		head.len = (uint16_t)strlen(cases[i].text);
		form_json.text(&j.form, i & 1, &head, (const uint8_t *)cases[i].text);
	}
	CHECK(!j.no_memory);
	json_deinit(&j);
	output_close(&out);
	f = fopen("bytes", "r");
	CHECK(fgets(line, sizeof(line), f) && strstr(line, "\"start\""));
	CHECK(fgets(line, sizeof(line), f) && strstr(line, "\"text\":\"\""));
	for (size_t i = 0; i < 4 && fgets(line, sizeof(line), f); i++) {
		snprintf(want, sizeof(want), "\"base64\":\"%s\"", cases[i].base64);
		CHECK(strstr(line, want) != NULL);
		CHECK(strstr(line, i & 1 ? "\"cpu\":\"slow\"" : "\"cpu\":0") != NULL);
	}
	fclose(f);
	unlink("bytes");
}

/* ---- missing files ---- */

static void missing(void)
{
	make_run(&(struct rotation){ .bytes = 16384 }, true);
	find_files();
	for (unsigned i = 0; i < nnames; i++) {
		char *name = names[i];

		names[i] = names[nnames - 1];
		nnames--;
		/*
		 * A ring without its first file is what -S SIZE,N leaves of it, but the
		 * totals tell.
		 */
		CHECK(!join_them(to_text));
		join_close(&join);
		names[nnames++] = names[i];
		names[i] = name;
	}
	forget_files(true);
	make_run(&(struct rotation){ 0 }, false);
	find_files();
	CHECK(!join_them(to_text)); /* no books */
	CHECK_LONG((long long)joined_len, (long long)expected_len);
	join_close(&join);
	forget_files(false);
	make_run(&(struct rotation){ 0 }, true);
	find_files();
	names[nnames++] = strdup("raw_0");
	CHECK(!join_them(to_text)); /* twice the same */
	join_close(&join);
	forget_files(true);
}

static void other_run(void)
{
	make_run(&(struct rotation){ 0 }, true);
	CHECK(!rename("raw_0", "kept"));
	make_run(&(struct rotation){ 0 }, true);
	CHECK(!rename("kept", "raw_x"));
	find_files();
	CHECK(!join_them(to_text));
	CHECK_LONG((long long)joined_len, 0);
	join_close(&join);
	forget_files(true);
}

/* ---- damage ---- */

static uint8_t *load(const char *name, size_t *size)
{
	FILE *f = fopen(name, "r");
	struct stat st;
	uint8_t *ret;

	fstat(fileno(f), &st);
	ret = malloc((size_t)st.st_size + 1);
	*size = fread(ret, 1, (size_t)st.st_size, f);
	fclose(f);
	return ret;
}

static void store(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(name, "w");

	fwrite(data, 1, size, f);
	fclose(f);
}

/* Files cut at any byte: the whole records before the cut are taken. */
static void cut(void)
{
	size_t size, last = 0;
	uint8_t *data;

	make_run(&(struct rotation){ 0 }, true);
	find_files();
	data = load("raw_1", &size);
	for (size_t at = 0; at < size; at += 1 + unit_random() % (size / 60)) {
		store("raw_1", data, at);
		CHECK(!join_them(to_text));
		CHECK(joined_len < expected_len && joined_len >= last);
		last = joined_len;
		join_close(&join);
	}
	store("raw_1", data, size);
	CHECK(join_them(to_text));
	join_close(&join);
	free(data);
	forget_files(true);
}

/*
 * A file that is empty, or ends in its header, also as the first one: the others are
 * joined, as without it.
 */
static void cut_in_header(void)
{
	size_t size, others;
	struct raw_header h;
	uint8_t *data;
	char *copy;

	make_run(&(struct rotation){ 0 }, true);
	for (int turn = 0; turn < 2; turn++) {
		CHECK(!rename("raw_1", "kept"));
		find_files();
		CHECK(!join_them(to_text));
		others = joined_len;
		copy = strdup(joined);
		CHECK(others && others < expected_len);
		join_close(&join);
		CHECK(!rename("kept", "raw_1"));
		names[nnames++] = strdup("raw_1");
		if (turn) {
			char *first = names[0];

			names[0] = names[nnames - 1];
			names[nnames - 1] = first;
		}
		data = load("raw_1", &size);
		memcpy(&h, data, sizeof(h));
		for (size_t i = 0; i < 5; i++) {
			store("raw_1", data,
			      (size_t[]){ 0, 3, sizeof(h) - 1, sizeof(h), h.bytes - 1 }[i]);
			CHECK(!join_them(to_text));
			CHECK_LONG((long long)joined_len, (long long)others);
			CHECK(!memcmp(joined, copy, others));
			join_close(&join);
		}
		store("raw_1", data, size);
		free(data);
		free(copy);
		forget_files(turn);
	}
	store("raw_1", "", 0);
	find_files();
	CHECK(!join_them(to_text)); /* nothing else is there */
	CHECK_LONG((long long)joined_len, 0);
	join_close(&join);
	forget_files(true);
}

static void damage(void)
{
	size_t size;
	uint8_t *data, *copy;

	make_run(&(struct rotation){ 0 }, true);
	find_files();
	data = load("raw_slow", &size);
	copy = malloc(size);
	for (int i = 0; i < 150; i++) {
		memcpy(copy, data, size);
		for (unsigned k = 0; k < 1 + unit_random() % 3; k++) {
			size_t at = unit_random() % (unit_random() % 2 ? size : 160);

			copy[at] = (uint8_t)(unit_random() % 3 ? unit_random() : 0xff);
		}
		store("raw_slow", copy, size);
		join_them(i & 1 ? to_json : to_text);
		join_close(&join);
	}
	free(copy);
	free(data);
	forget_files(true);
}

/* raw DIR: leaves a run's files there, for a fuzzer to begin with. */
int main(int argc, char **argv)
{
	if (argc > 1) {
		if (chdir(argv[1]))
			return 1;
		make_run(&(struct rotation){ .bytes = 16384 }, true);
		return unit_failures != 0;
	}
	message_setup(0, true);
	if (!unit_enter(dir))
		return 1;
	RUN(whole);
	RUN(lines);
	RUN(json_bytes);
	RUN(missing);
	RUN(other_run);
	RUN(cut);
	RUN(cut_in_header);
	RUN(damage);
	free(expected);
	unit_leave(dir);
	return unit_end();
}
