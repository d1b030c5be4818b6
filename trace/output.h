/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the trace to stdout, a file or a series of files, through one large buffer.
 * Counts records exactly: when writing fails, those whose last byte got out are written;
 * all others, and all that come later, are lost. A record is in one file from its first
 * byte to its last; only one larger than the buffer may make a file larger than it should
 * be.
 */
#ifndef TRACE_OUTPUT_H
#define TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/series.h"

#define OUTPUT_BUFFER (1u << 18)
#define OUTPUT_ENDS   (1u << 14)

struct output {
	int fd;
	const char *name; /* of the file, for messages */
	char *buf;
	size_t used;
	uint32_t *ends; /* where in buf a record ends, ascending */
	uint32_t nends;
	size_t begun;		      /* where in buf the record begins that is being put */
	bool begun_earlier;	      /* its beginning is written already */
	const struct series_ops *ops; /* of the files that follow one another, or NULL */
	struct series files;
	bool has_files;
	bool next_wanted;		/* a new file, when the record is finished */
	uint64_t file_bytes, file_most; /* of the file being written; what it may grow to, 0: any */
	uint64_t file_head;		/* of file_bytes, what stands before the records */
	uint64_t file_whole;		/* up to here it has whole records */
	uint64_t bytes, written, lost;	/* written, lost: records */
	uint64_t file_from;		/* what `written` was when the file was begun */
	int error;			/* errno of the failed write, 0: none */
	bool waits_for_room;		/* a full disk is a slow reader; for files */
	bool is_full;			/* it is one now, which has been said */
	bool damaged;			/* records that were written are gone; it has been said */
	bool may_block;			/* a pipe, a socket, a terminal: its reader can be slow */
	bool is_pipe;
	bool is_sink; /* what it has stored, and how it ended, is for its owner to say */
	/*
	 * Write the beginning and the end of a file, besides records, by
	 * output_write_now(); or NULL.
	 */
	void (*file_begin)(void *ctx, struct output *o);
	void (*file_end)(void *ctx, struct output *o);
	void *file_ctx;
	/*
	 * Called until a blocking output takes more, or the disk has room (fd -1):
	 * waits a while. False: the rest is given up. Set by the owner, or NULL.
	 */
	bool (*wait)(void *ctx, int fd);
	void *wait_ctx;
	/* Takes what would be written, in place of fd: output_to(). Or NULL. */
	void (*take)(void *ctx, const char *s, size_t len);
	void *take_ctx;
};

/*
 * Has the output, which is empty otherwise, written to an open file, a pipe or a
 * terminal, which messages call `name`. Returns 0 or -errno. series_output() opens a
 * series of files.
 */
int output_on(struct output *o, int fd, const char *name);
/* Opens an output whose bytes a function takes. Returns 0 or -ENOMEM. */
int output_to(struct output *o, void (*take)(void *ctx, const char *s, size_t len), void *ctx);
/* Gives that one's memory back; what it holds was flushed before, or is dropped. */
void output_drop(struct output *o);
const char *output_wrong(const struct output *o, int rc);
void output_put(struct output *o, const char *s, size_t len);
/*
 * Returns room for so many bytes in the buffer, or NULL when it has none; the second
 * function then takes the end of what was put there.
 */
static inline char *output_reserve(struct output *o, size_t len);
static inline void output_advance(struct output *o, const char *end);
static inline void output_record_end(struct output *o);
/*
 * True: records may be put into the buffer by the caller, who notes their ends in
 * o->ends, from o->nends on, as far as OUTPUT_ENDS - 1.
 */
static inline bool output_takes_runs(const struct output *o);
/*
 * Takes what was put there, up to `to`; records end at those before `ends`, in which all
 * is whole up to `begun`. Returns how many ends there are.
 */
static inline uint32_t output_take_run(struct output *o, const char *to, const char *begun,
				       const uint32_t *ends);
/* The same, where there is more to do than to note the end. */
void output_record_end_rare(struct output *o);
void output_flush(struct output *o);
/* Goes on in a new file. An empty file is not kept. */
void output_next_file(struct output *o);
/* Goes on in a new file when the time for it has come. For between records. */
void output_look_at_clock(struct output *o);
/* Writes bytes that are no record, behind what is written, past what the buffer holds. */
void output_write_now(struct output *o, const void *bytes, size_t len);
/* Notes that the bytes written so far stand before the records. */
void output_head_written(struct output *o);
/* Writes the buffer, also the beginning of a record that has not ended. */
void output_flush_all(struct output *o);
/*
 * True: writing to standard output failed because its reader has gone, which is no error
 * of ours. Valid after output_close(), too.
 */
bool output_reader_left(const struct output *o);
/*
 * Flushes and closes. False: writing failed, now or before; the message has been printed.
 */
bool output_close(struct output *o);
/*
 * Makes the output fail as if something had been written: the reader of the pipe has
 * gone.
 */
void output_hangup(struct output *o);

static inline char *output_reserve(struct output *o, size_t len)
{
	return OUTPUT_BUFFER - o->used > len && !o->error ? o->buf + o->used : NULL;
}

static inline void output_advance(struct output *o, const char *end)
{
	o->used = (size_t)(end - o->buf);
}

static inline bool output_takes_runs(const struct output *o)
{
	return o->buf && !o->error && !o->file_most && !o->next_wanted;
}

static inline uint32_t output_take_run(struct output *o, const char *to, const char *begun,
				       const uint32_t *ends)
{
	uint32_t before = o->nends;

	o->nends = (uint32_t)(ends - o->ends);
	o->used = (size_t)(to - o->buf);
	if (o->nends != before) {
		o->begun = (size_t)(begun - o->buf);
		o->begun_earlier = false;
	}
	return o->nends - before;
}

static inline void output_record_end(struct output *o)
{
	if (o->error || o->file_most || o->next_wanted || !o->used || o->nends + 1 == OUTPUT_ENDS) {
		output_record_end_rare(o);
		return;
	}
	o->ends[o->nends++] = (uint32_t)o->used;
	o->begun = o->used;
	o->begun_earlier = false;
}

#endif
