/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/wire.h"

#include <jansson.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "stap/remote/hostlines.h"
#include "stap/remote/hostmerge.h"

/* Hands a line on, by way of the order of times where there is one. */
static void put_line(struct remote *r, struct host *h, int64_t time, const char *text, size_t len)
{
	if (r->merges)
		hostmerge_add(r, h, time, text, len);
	else
		hostlines_put(r, h, text, len);
}

/* Adds printed text; lines go on when they have ended. */
static void put_text(struct remote *r, struct host *h, int64_t time, const char *text, size_t len)
{
	while (hostlines_fill(&h->text, &text, &len)) {
		put_line(r, h, time, h->text.s, h->text.len);
		h->text.len = 0;
	}
}

/* The numbers are doubles: members that are not used here may be larger than 2^63. */
static int64_t number_of(const json_t *object, const char *name)
{
	double n = json_number_value(json_object_get(object, name));

	return n > -9e18 && n < 9e18 ? (int64_t)n : 0;
}

/* Returns the time of the record by the clock here. */
static int64_t time_of(const struct host *h, const json_t *object)
{
	int64_t time = number_of(object, "time"), ret;

	if (!time || !h->real || __builtin_sub_overflow(time, h->monotonic, &ret) ||
	    __builtin_add_overflow(ret, h->real, &ret) ||
	    __builtin_sub_overflow(ret, h->clock.offset, &ret))
		return h->seen;
	return ret;
}

static void put_base64(struct remote *r, struct host *h, int64_t time, const json_t *string)
{
	size_t len = json_string_length(string);
	const char *text = json_string_value(string);
	unsigned char *bytes = len % 4 || len > HOSTLINES_MOST ? NULL : malloc(len / 4 * 3 + 1);
	int n = bytes && len ? EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)len) : -1;

	if (n >= 0) {
		n -= text[len - 1] == '=';
		n -= text[len - 2] == '=';
		put_text(r, h, time, (const char *)bytes, (size_t)n);
	}
	free(bytes);
}

static void take_output(struct remote *r, struct host *h, const json_t *object)
{
	const json_t *text = json_object_get(object, "text");
	int64_t time = time_of(h, object);

	if (json_is_string(text))
		put_text(r, h, time, json_string_value(text), json_string_length(text));
	else
		put_base64(r, h, time, json_object_get(object, "base64"));
}

static void take_log(struct remote *r, struct host *h, const json_t *object)
{
	take_output(r, h, object);
	if (h->text.len)
		put_text(r, h, h->seen, "\n", 1);
}

static void take_start(struct remote *r, struct host *h, const json_t *object)
{
	h->monotonic = number_of(object, "time");
	h->real = number_of(object, "realtime");
}

static void take_total(struct remote *r, struct host *h, const json_t *object)
{
	h->books = (struct host_books){
		.known = true,
		.hits = number_of(object, "hits"),
		.delivered = number_of(object, "delivered"),
		.dropped = number_of(object, "dropped"),
		.skipped = number_of(object, "skipped"),
	};
}

/* Warnings and errors are on the machine's standard error as well. */
static void take_nothing(struct remote *r, struct host *h, const json_t *object)
{
}

/* noted: taken also where the lines are handed on as they are. */
static const struct {
	const char *type;
	void (*take)(struct remote *r, struct host *h, const json_t *object);
	bool noted;
} types[] = {
	{ "output", take_output, false },   { "log", take_log, false },
	{ "start", take_start, true },	    { "total", take_total, true },
	{ "warning", take_nothing, false }, { "error", take_nothing, false },
	{ "command", take_nothing, false }, { "books", take_nothing, false },
	{ "skipped", take_nothing, false }, { "contended", take_nothing, false },
};

/* Writes an object of our own as a line. */
static void put_object(struct remote *r, struct host *h, json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	if (text) {
		size_t len = strlen(text);

		text[len] = '\n'; /* in the place of its end */
		put_line(r, h, h->seen, text, len + 1);
	}
	free(text);
	json_decref(object);
}

/* Puts the machine's name in front of the members of a line. */
static void put_named(struct remote *r, struct host *h, int64_t time, const char *line, size_t len)
{
	json_t *string = json_string(h->name);
	char *name = json_dumps(string, JSON_ENCODE_ANY | JSON_COMPACT);
	struct strbuf named;

	strbuf_init(&named, r->s->arena);
	strbuf_addf(&named, "{\"from\":%s,", name ? name : "\"?\"");
	strbuf_add(&named, line + 1, len - 1);
	put_line(r, h, time, named.s, named.len);
	strbuf_release(&named);
	free(name);
	json_decref(string);
}

/* Puts a line that is none of staprun's. */
static void put_stray(struct remote *r, struct host *h, const char *line, size_t len)
{
	char *text;

	if (!r->user_json) {
		put_text(r, h, h->seen, line, len);
		return;
	}
	text = strndup(line, len - 1);
	for (char *at = text; at && *at; at++)
		if (*at & 0x80)
			*at = '?'; /* a string of JSON has to be UTF-8 */
	put_object(r, h,
		   json_pack("{s:s,s:s,s:s}", "from", h->name, "type", "log", "text",
			     text ? text : ""));
	free(text);
}

void wire_take(struct remote *r, struct host *h, const char *line, size_t len)
{
	json_t *object =
		*line == '{' && len > 3
			? json_loadb(line, len, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL)
			: NULL;
	const char *type = json_string_value(json_object_get(object, "type"));
	size_t i, count = sizeof(types) / sizeof(types[0]);

	for (i = 0; type && i < count && strcmp(types[i].type, type); i++)
		;
	/* A machine that puts a name in front itself would speak for another one. */
	if (!type || i == count || json_object_get(object, "from")) {
		put_stray(r, h, line, len);
	} else {
		if (!r->user_json || types[i].noted)
			types[i].take(r, h, object);
		if (r->user_json)
			put_named(r, h, time_of(h, object), line, len);
	}
	json_decref(object);
}

void wire_begin(struct remote *r, struct host *h)
{
	h->seen = fleet_time();
	if (!r->user_json)
		return;
	put_object(r, h,
		   json_pack("{s:s,s:s,s:s}", "from", h->name, "type", "remote", "release",
			     h->release));
	if (h->clock.trip)
		put_object(r, h,
			   json_pack("{s:s,s:s,s:I,s:I}", "from", h->name, "type", "clock", "ahead",
				     (json_int_t)h->clock.offset, "trip",
				     (json_int_t)h->clock.trip));
}

void wire_end(struct remote *r, struct host *h)
{
	if (h->text.len)
		put_text(r, h, h->seen, "\n", 1);
}
