/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --json: one object per line instead of text. The section JSON of stapio(8) describes
 * the objects. Members may be added, but never removed.
 */
#ifndef TRACE_FORM_JSON_H
#define TRACE_FORM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/form/form.h"
#include "uapi/record.h"

struct books;
struct fields;
struct item;
struct output;
struct raw_header;
struct records;
struct tables;

struct json {
	struct form form;
	struct output *output;
	struct fields *fields;
	const struct tables *tables;
	unsigned nrings;
	/* The hit whose output is being collected: it may come in several records. */
	struct stp_record head;
	unsigned ring;
	struct json_text {
		char *s;
		size_t len, room;
	} text, items, line;
	uint32_t task[2]; /* the process and thread that were hit */
	bool has_task;
	bool no_memory;
	bool busy;     /* the output is writing a line */
	void *pending; /* messages that arrived while it was busy */
};

/* Returns the name of a kind of record, as used in JSON and other data. */
const char *json_kind_name(enum stp_record_kind kind);
void json_init(struct json *j, struct output *o, const struct tables *t, unsigned nrings);
void json_deinit(struct json *j);
/*
 * From now on, the records are written as JSON to their output. The first line gives the
 * module, host and time of the trace. The time is the raw file's if `raw` is not NULL,
 * otherwise the present.
 */
void json_start(struct json *j, struct records *r, unsigned nrings, const char *module,
		const char *host, const struct raw_header *raw);
/* Writes a message to the user, a "warning" or an "error"; ctx is the json. */
void json_message(void *ctx, const char *type, const char *text);
/* Also writes messages to the user, until message_tee() is called again. */
void json_messages(struct json *j);
/* Adds a piece of a hit's text; ctx is the json. */
void json_put(void *ctx, const char *s, size_t len);
/* Adds one item: of a site, or a histogram. False: no memory. */
bool json_item(struct json *j, const struct item *i);
/*
 * Returns the line of a complete hit, which is valid until the next call, and its length
 * with the newline. NULL: no memory.
 */
const char *json_line(struct json *j, unsigned ring, const struct stp_record *head, size_t *len);

#endif
