/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles a record by its kind: text goes to the output, warnings and errors to stderr,
 * commands to the shell.
 */
#ifndef TRACE_RECORDS_H
#define TRACE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/fields.h"
#include "trace/form/form.h"
#include "trace/form/textform.h"
#include "uapi/record.h"

struct output;
struct tables;

/* Takes a shell command of system(). */
typedef void (*records_command)(void *ctx, const char *text, size_t len);

struct records {
	struct output *output;
	records_command command; /* NULL: none are run */
	void *command_ctx;
	const struct tables *tables;
	struct fields fields;
	struct textform text;
	struct form *form;	  /* the output format: the above, or another one */
	bool quiet;		  /* nothing to stderr */
	uint64_t errors;	  /* RECORD_ERROR seen */
	uint64_t last_time, late; /* late: records that came after a younger one; should be 0 */
	bool continued;		  /* the last record had RECORD_MORE */
};

/* Sets up to write text. False: no memory. */
bool records_init(struct records *r, const struct tables *t, struct output *o);
/* Lets commands of the script run. */
void records_commands(struct records *r, records_command command, void *ctx);
void records_deinit(struct records *r);
/* Handles a record. Returns NULL or an error text. */
const char *records_emit(struct records *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body);
/*
 * Handles records from the beginning of a piece of a ring, none later than `until`, as
 * far as they can be handled together. Returns the end of the handled records and adds
 * their number to *records.
 */
const uint8_t *records_emit_run(struct records *r, const uint8_t *at, const uint8_t *end,
				uint64_t until, uint64_t *records);

/* Hands the books to the form; last: nothing comes after them. */
void records_books(struct records *r, const struct books *b, uint64_t records, bool last);

#endif
