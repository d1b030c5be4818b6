/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a run as a stream (uapi/rawfile.h): what stapio writes for --to, which
 * trace/source/stream.c reads, and for --remote, which trace/source/hoststream.c reads.
 */
#ifndef TRACE_FORM_STREAMFORM_H
#define TRACE_FORM_STREAMFORM_H

#include <stdint.h>

#include "trace/form/form.h"

struct output;
struct raw_header;
struct records;

struct streamform {
	struct form form;
	struct output *output;
	unsigned ring;	/* of the last record */
	uint64_t given; /* records, each up to one without RECORD_MORE */
};

/*
 * Has records written so, into their output, behind what stands before them. The time of
 * the run is the raw file's, when `raw` is not NULL, otherwise the present.
 */
void streamform_start(struct streamform *s, struct records *r, unsigned nrings, const char *module,
		      const char *host, const struct raw_header *raw);
/* Has messages to the user written as well, until message_tee() is told otherwise. */
void streamform_messages(struct streamform *s);
/* Writes the books as they are now. For between records. */
void streamform_look(struct streamform *s, const char *books);
/* Writes the end; books is the text of the books, or NULL. */
void streamform_end(struct streamform *s, const char *books);

#endif
