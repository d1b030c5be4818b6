/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --json: one object a line in place of the text. stapio.8, JSON, says what they hold;
 * members are only ever added.
 */
#ifndef TRACE_FORM_JSON_H
#define TRACE_FORM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/record.h"

struct books;
struct fields;
struct item;
struct output;
struct raw_header;
struct tables;

struct json {
	struct output *output;
	const struct tables *tables;
	unsigned nrings;
	/* The hit whose output is being put together: it may come in several records. */
	struct stp_record head;
	unsigned ring;
	struct json_text {
		char *s;
		size_t len, room;
	} text, items, line;
	uint32_t task[2]; /* process and thread that were hit */
	bool has_task;
	bool no_memory;
	bool busy;     /* the output is writing a line */
	void *pending; /* messages that came while it was */
};

/* Returns the name of a kind of record, in JSON and in other data. */
const char *json_kind_name(enum stp_record_kind kind);
void json_init(struct json *j, struct output *o, const struct tables *t, unsigned nrings);
void json_deinit(struct json *j);
/*
 * Writes the first line, which tells the module, host and time of the trace: the time is
 * the raw file's, when `raw` is not NULL, otherwise the present.
 */
void json_start(struct json *j, const char *module, const char *host, const struct raw_header *raw);
/* Adds a piece of a hit's text; ctx is the json. */
void json_put(void *ctx, const char *s, size_t len);
/* Adds the items of a record. False: they fit no format. */
bool json_items(struct json *j, struct fields *f, const uint8_t *body, size_t len);
/* Adds one item, which is of a site or a histogram. False: no memory. */
bool json_item(struct json *j, const struct item *i);
/*
 * Makes the line of a hit that is whole, which is there until the next call. Returns it
 * with its length, its end included; NULL: no memory.
 */
const char *json_line(struct json *j, unsigned ring, const struct stp_record *head, size_t *len);
/* Writes that line. */
void json_record(struct json *j, unsigned ring, const struct stp_record *head);
/* Writes a message of stapio's own, a "warning" or an "error". */
void json_message(struct json *j, const char *type, const char *text);
/* Writes the books; final: as the last lines of a trace. */
void json_books(struct json *j, const struct books *b, uint64_t records, bool final);

#endif
