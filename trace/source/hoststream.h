/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stream of another machine (uapi/rawfile.h), which trace/form/streamform.c writes
 * there, in the pieces in which a connection brings it. The machine may send anything:
 * nothing in it is believed. What does not begin as a stream is text, whatever it is.
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

/* A machine that announces a larger header, or larger books, sends something else. */
#define HOSTSTREAM_MOST (16u << 20)

enum hoststream_event {
	HOSTSTREAM_MORE,    /* the rest has not come yet */
	HOSTSTREAM_TEXT,    /* it is no stream: `rest` of them is text, and all that follows */
	HOSTSTREAM_HEADER,  /* module, host, tables and header are there now */
	HOSTSTREAM_RECORD,  /* a record of `ring` */
	HOSTSTREAM_MESSAGE, /* one of RAW_MESSAGE */
	HOSTSTREAM_LOOK,    /* `books` are those of now */
	HOSTSTREAM_END,	    /* nothing follows */
	HOSTSTREAM_WRONG,   /* `wrong` says what; nothing that follows is taken */
};

struct hoststream {
	enum { HOSTSTREAM_BEGINS, HOSTSTREAM_IS_TEXT, HOSTSTREAM_RUNS, HOSTSTREAM_OVER } state;
	struct bytequeue in; /* what has come, and is not done with */
	uint64_t at;	     /* offset in the stream of what is next */
	bool ended;	     /* … by its end */
	const char *wrong;
	struct raw_header header;
	char *module, *host;
	struct tables tables;
	unsigned ring;
	uint64_t records; /* each up to one without RECORD_MORE */
	char *books;	  /* as text, what has come of it, or NULL */
	size_t books_len;
	bool is_look; /* these books are not the last: more take their place */
};

/* Adds what has come. False: no memory. */
bool hoststream_add(struct hoststream *s, const void *bytes, size_t len);
/*
 * Returns what is next in it. *head and *body are valid until more is added; of
 * HOSTSTREAM_TEXT *body is the text and *len its length.
 */
enum hoststream_event hoststream_next(struct hoststream *s, struct stp_record *head,
				      const uint8_t **body, size_t *len);
void hoststream_deinit(struct hoststream *s);

#endif
