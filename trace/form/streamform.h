/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the records of a run as a stream (uapi/rawfile.h). stapio writes it for --to,
 * where trace/source/stream.c reads it, and for --remote, where trace/source/hoststream.c
 * does.
 */
#ifndef TRACE_FORM_STREAMFORM_H
#define TRACE_FORM_STREAMFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/form/form.h"

struct output;
struct raw_header;
struct records;

struct streamform {
	struct form form;
	struct output *output;
	unsigned ring;	/* of the last record */
	uint64_t given; /* complete records: parts with RECORD_MORE count as one */
};

/* The stream that --records asks for: "text|data[,S[,values]]". */
struct streamform_request {
	bool is_data;	  /* data will be made of the records, not text */
	long look_s;	  /* seconds between two looks at the books, 0: none */
	bool look_values; /* … and at the values of globals */
};
/* False: the text is wrong. */
bool streamform_parse(const char *text, struct streamform_request *ret);
#define STREAMFORM_WRONG "--records is text or data, seconds, and values: data,1,values"

/*
 * Times of looks at the books, in nanoseconds of lib/clock.h: at intervals, but they take
 * a twentieth of the time at most, however slowly the stream is read.
 */
struct streamform_clock {
	uint64_t every, next; /* every: 0 is never */
};
void streamform_clock_init(struct streamform_clock *c, const struct streamform_request *r);
bool streamform_clock_due(struct streamform_clock *c, uint64_t now);
/* Sets the time of the next look, after one that began and ended at these times. */
void streamform_clock_next(struct streamform_clock *c, uint64_t began, uint64_t ended);

/*
 * From now on, the records are written as a stream to their output, after the stream's
 * header. The time of the run is the raw file's if `raw` is not NULL, otherwise the
 * present.
 */
void streamform_start(struct streamform *s, struct records *r, unsigned nrings, const char *module,
		      const char *host, const struct raw_header *raw);
/* Also writes messages to the user, until message_tee() is called again. */
void streamform_messages(struct streamform *s);
/*
 * Writes the present state of the books and, unless it is NULL, the text of the values.
 * Must be called between records.
 */
void streamform_look(struct streamform *s, const char *books, const char *values);
/* Writes the end; either text may be NULL. */
void streamform_end(struct streamform *s, const char *books, const char *values);

#endif
