/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the stream of another machine (uapi/rawfile.h), which trace/form/streamform.c
 * writes there, in the pieces that a connection delivers. The machine may send anything,
 * so nothing in it is trusted. Input that does not begin like a stream is treated as
 * text.
 */
#ifndef TRACE_SOURCE_HOSTSTREAM_H
#define TRACE_SOURCE_HOSTSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/bytequeue.h"
#include "trace/dictionary.h"
#include "uapi/rawfile.h"
#include "uapi/record.h"

/* If a machine announces a larger header or larger books, this is not a stream. */
#define HOSTSTREAM_MOST (16u << 20)

enum hoststream_event {
	HOSTSTREAM_MORE,    /* the rest has not come yet */
	HOSTSTREAM_TEXT,    /* not a stream: the input, and everything after it, is text */
	HOSTSTREAM_HEADER,  /* module, host, tables and header are now valid */
	HOSTSTREAM_RECORD,  /* a record of `ring` */
	HOSTSTREAM_MESSAGE, /* one of RAW_MESSAGE */
	HOSTSTREAM_LOOK,    /* `books` and `values` have those of this moment */
	HOSTSTREAM_END,	    /* nothing follows */
	HOSTSTREAM_WRONG,   /* `wrong` says why; all further input is ignored */
};

struct hoststream_text {
	char *s; /* malloc; NULL: nothing has come */
	size_t len;
};

struct hoststream {
	enum { HOSTSTREAM_BEGINS, HOSTSTREAM_IS_TEXT, HOSTSTREAM_RUNS, HOSTSTREAM_OVER } state;
	struct bytequeue in; /* input that was not yet handled */
	uint64_t at;	     /* offset of the next byte in the stream */
	bool ended;	     /* … by its end */
	const char *wrong;
	struct raw_header header;
	char *module, *host;
	struct tables tables;
	unsigned ring;
	uint64_t records;	       /* complete records: parts with RECORD_MORE count as one */
	struct hoststream_text books;  /* as far as received */
	struct hoststream_text values; /* of globals, where they were asked for */
	bool is_look;		       /* these are not the last: others will replace them */
};

/* Adds received bytes. False: no memory. */
bool hoststream_add(struct hoststream *s, const void *bytes, size_t len);
/*
 * Returns the next event of the stream. *head and *body are valid until more bytes are
 * added. For HOSTSTREAM_TEXT, *body is the text and *len its length.
 */
enum hoststream_event hoststream_next(struct hoststream *s, struct stp_record *head,
				      const uint8_t **body, size_t *len);
void hoststream_deinit(struct hoststream *s);

#endif
