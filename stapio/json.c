/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See json.h. Texts that are not UTF-8 (a script may print any bytes) go as base64. */
#include "stapio/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stapio/books.h"
#include "stapio/messages.h"
#include "stapio/output.h"
#include "stapio/raw.h"
#include "stapio/dictionary.h"

#define JSON_VERSION 1

static const char *const kind_names[] = {
	[RECORD_OUTPUT] = "output", [RECORD_WARNING] = "warning", [RECORD_ERROR] = "error",
	[RECORD_LOG] = "log",	    [RECORD_COMMAND] = "command",
};
_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == RECORD_KINDS,
	       "a name for every kind of record");

void json_init(struct json *j, struct output *o, const struct tables *t, unsigned nrings)
{
	*j = (struct json){ .output = o, .tables = t, .nrings = nrings, .pending = json_array() };
}

void json_deinit(struct json *j)
{
	free(j->text);
	j->text = NULL;
	json_decref(j->pending);
	j->pending = NULL;
}

static int put_bytes(const char *s, size_t len, void *output)
{
	output_put(output, s, len);
	return 0;
}

static void put_line(struct json *j, json_t *object)
{
	if (!object || json_dump_callback(object, put_bytes, j->output, JSON_COMPACT))
		j->no_memory = true;
	else
		output_put(j->output, "\n", 1);
	output_record_end(j->output);
}

/*
 * Writes an object, which it takes over. Writing may cause a message itself, about a
 * file that cannot be renamed: that message is the next line.
 */
static void put_object(struct json *j, json_t *object)
{
	json_array_append_new(j->pending, object);
	if (j->busy)
		return;
	j->busy = true;
	for (size_t i = 0; i < json_array_size(j->pending); i++)
		put_line(j, json_array_get(j->pending, i));
	json_array_clear(j->pending);
	j->busy = false;
}

/* ---- texts ---- */

static json_t *base64(const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *buf = malloc(len / 3 * 4 + 5), *to = buf;
	json_t *ret;

	if (!buf)
		return NULL;
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = 0;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < n ? (uint8_t)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			*to++ = k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
	}
	ret = json_stringn(buf, (size_t)(to - buf));
	free(buf);
	return ret;
}

static void set_text(json_t *object, const char *text, size_t len)
{
	json_t *string = json_stringn(text, len);

	if (string)
		json_object_set_new(object, "text", string);
	else
		json_object_set_new(object, "base64", base64(text, len));
}

/*
 * Makes a JSON string of a probe's name, which comes from a script and may hold any
 * bytes.
 */
static json_t *name_of(const char *text, size_t len)
{
	json_t *string = json_stringn(text, len);

	return string ? string : base64(text, len);
}

static json_t *cpu_of(const struct json *j, unsigned ring)
{
	return ring + 1 == j->nrings ? json_string("slow") : json_integer(ring);
}

/* ---- lines ---- */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void json_start(struct json *j, const char *module, const char *host, const struct raw_header *raw)
{
	uint64_t mono = raw ? raw->monotonic : now_ns(CLOCK_MONOTONIC);
	uint64_t real = raw ? raw->session : now_ns(CLOCK_REALTIME);

	put_object(j, json_pack("{s:s,s:i,s:o,s:o,s:I,s:I}", "type", "start", "version",
				JSON_VERSION, "module", name_of(module, strlen(module)), "host",
				name_of(host, strlen(host)), "time", (json_int_t)mono, "realtime",
				(json_int_t)real));
}

void json_put(void *ctx, const char *s, size_t len)
{
	struct json *j = ctx;

	if (!len)
		return; // there may be no text yet
	if (j->room - j->len < len) {
		size_t room = 2 * (j->len + len);
		char *larger = realloc(j->text, room);

		if (!larger) {
			j->no_memory = true;
			return;
		}
		j->text = larger;
		j->room = room;
	}
	memcpy(j->text + j->len, s, len);
	j->len += len;
}

void json_record(struct json *j, unsigned ring, const struct stp_record *head)
{
	json_t *object = json_pack("{s:s,s:I,s:o}", "type", kind_names[head->kind], "time",
				   (json_int_t)head->time, "cpu", cpu_of(j, ring));

	if (object && head->probe < j->tables->probes.count) {
		const struct stp_format_text *p = &j->tables->probes.rows[head->probe];

		json_object_set_new(object, "probe", name_of(p->text, p->len));
	}
	if (object)
		set_text(object, j->text ? j->text : "", j->len);
	put_object(j, object);
	j->len = 0;
}

void json_message(struct json *j, const char *type, const char *text)
{
	json_t *object = json_pack("{s:s}", "type", type);

	if (object)
		set_text(object, text, strlen(text));
	put_object(j, object);
}

static json_t *book_object(const char *type, const struct book *k)
{
	return json_pack("{s:s,s:I,s:I,s:I,s:I}", "type", type, "hits", (json_int_t)k->hits,
			 "delivered", (json_int_t)k->delivered, "dropped", (json_int_t)k->dropped,
			 "skipped", (json_int_t)k->skipped);
}

static void put_row(struct json *j, const struct book_row *row)
{
	json_t *object = book_object("books", &row->book);
	char *end;
	unsigned long cpu = strtoul(row->cpu, &end, 10);

	if (object) {
		json_object_set_new(object, "probe", name_of(row->point, strlen(row->point)));
		json_object_set_new(object, "cpu",
				    *end ? json_string(row->cpu) : json_integer((json_int_t)cpu));
	}
	put_object(j, object);
}

void json_books(struct json *j, const struct books *b, uint64_t records, bool final)
{
	json_t *total;

	for (uint32_t i = 0; i < b->nrows; i++)
		put_row(j, &b->rows[i]);
	for (unsigned i = 0; i < STP_SKIP_COUNT; i++)
		if (b->reasons[i])
			put_object(j,
				   json_pack("{s:s,s:s,s:I}", "type", "skipped", "reason",
					     books_reason(i), "hits", (json_int_t)b->reasons[i]));
	for (uint32_t i = 0; i < b->ncontended; i++)
		put_object(j, json_pack("{s:s,s:s,s:I}", "type", "contended", "global",
					b->contended[i].global, "hits",
					(json_int_t)b->contended[i].hits));
	total = book_object("total", &b->total);
	if (total) {
		json_object_set_new(total, "records", json_integer((json_int_t)records));
		json_object_set_new(total, "lost", json_integer((json_int_t)books_lost(b)));
		json_object_set_new(total, "final", json_boolean(final));
	}
	put_object(j, total);
}
