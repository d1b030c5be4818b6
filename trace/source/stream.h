/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a run as a stream (uapi/rawfile.h): what stapio writes for --to, and
 * what stap-merge reads from standard input.
 */
#ifndef TRACE_SOURCE_STREAM_H
#define TRACE_SOURCE_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "uapi/record.h"

struct join;
struct output;
struct tables;

struct stream {
	struct output *output;
	unsigned ring;	 /* of the last record */
	uint64_t given; /* records, each up to one without RECORD_MORE */
};

/* Writes what stands before the records. */
void stream_begin(struct stream *s, struct output *o, const struct tables *t, unsigned nrings,
		  const char *module, const char *host);
void stream_record(struct stream *s, unsigned ring, const struct stp_record *head,
		   const uint8_t *body);
/* Writes the end; books is the text of the books, or NULL. */
void stream_end(struct stream *s, const char *books);

/*
 * Reads the beginning of a stream, which the caller closes. False: it is none, which has
 * been reported.
 */
bool stream_open(struct join *j, FILE *in, struct output *o);
/* Passes all records on; in place of join_run(). */
void stream_run(struct join *j);

#endif
