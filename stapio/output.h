/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the trace goes: stdout or a series of files, through one large buffer. Counts
 * records exactly: when writing fails, those whose last byte got out are written, all
 * others, and all that come later, are lost. A record is in one file from its first byte
 * to its last; only one larger than the buffer may make a file larger than it should be.
 */
#ifndef STAPIO_OUTPUT_H
#define STAPIO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stapio/series.h"

#define OUTPUT_BUFFER (1u << 18)
#define OUTPUT_ENDS   (1u << 14)

struct output {
	int fd;
	const char *name; /* of the file, for messages */
	char *buf;
	size_t used;
	uint32_t *ends; /* where in buf a record ends, ascending */
	uint32_t nends;
	size_t begun;	    /* where in buf the record begins that is being put */
	bool begun_earlier; /* its beginning is written already */
	struct series files;
	bool has_files;
	bool next_wanted;   /* a new file, when the record is finished */
	uint64_t file_bytes, file_most; /* of the file being written; what it may grow to, 0: any */
	uint64_t file_head;		/* of file_bytes, what stands before the records */
	uint64_t file_whole;		/* up to here it has whole records */
	uint64_t bytes, written, lost; /* written, lost: records */
	uint64_t file_from;	       /* what `written` was when the file was begun */
	int error;		       /* errno of the failed write, 0: none */
	bool damaged;		       /* records that were written are gone; it has been said */
	bool may_block;		       /* a pipe, a socket, a terminal: its reader can be slow */
	bool is_pipe;
	/*
	 * What a file begins and ends with, besides
	 * records, by output_write_now(); or NULL.
	 */
	void (*file_begin)(void *ctx, struct output *o);
	void (*file_end)(void *ctx, struct output *o);
	void *file_ctx;
	/*
	 * Called until a blocking output takes more: waits a while. False: the rest is
	 * given up. Set by the owner, or NULL.
	 */
	bool (*wait)(void *ctx, int fd);
	void *wait_ctx;
};

/*
 * pattern NULL: stdout. 0 or -errno; o->name is then what could not be opened,
 * output_wrong() why.
 */
int output_open(struct output *o, const struct filename *pattern, const struct rotation *rotation);
const char *output_wrong(const struct output *o, int rc);
void output_put(struct output *o, const char *s, size_t len);
/*
 * The same in place: room for so many bytes, or NULL where
 * the buffer has none; then the end of what was put there.
 */
static inline char *output_reserve(struct output *o, size_t len);
static inline void output_advance(struct output *o, const char *end);
void output_record_end(struct output *o);
void output_flush(struct output *o);
/* Goes on in a new file. One that has nothing yet is not kept. */
void output_next_file(struct output *o);
/* The same when the time for it has come. Between records. */
void output_look_at_clock(struct output *o);
/* Not a record: behind what is written, past what the buffer holds. */
void output_write_now(struct output *o, const void *bytes, size_t len);
/* What was written so far stands before the records. */
void output_head_written(struct output *o);
/* Also the beginning of a record that has not ended. */
void output_flush_all(struct output *o);
/*
 * Flushes and closes. False: writing failed, now or before; the message has been printed.
 */
bool output_close(struct output *o);
/* The reader of the pipe has gone: the output fails as if something had been written. */
void output_hangup(struct output *o);

static inline char *output_reserve(struct output *o, size_t len)
{
	return OUTPUT_BUFFER - o->used > len && !o->error ? o->buf + o->used : NULL;
}

static inline void output_advance(struct output *o, const char *end)
{
	o->used = (size_t)(end - o->buf);
}

#endif
