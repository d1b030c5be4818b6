/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the trace to stdout, a file or a series of files, through one large buffer. It
 * counts records exactly: when writing fails, records whose last byte was written count
 * as written; all others, and all later ones, count as lost. A record is never split
 * between files. Only a record larger than the buffer can make a file larger than its
 * limit.
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
	uint32_t *ends; /* offsets in buf at which records end, ascending */
	uint32_t nends;
	size_t begun;		      /* offset in buf of the record that is being put */
	bool begun_earlier;	      /* its beginning was already written */
	const struct series_ops *ops; /* of the series of files, or NULL */
	struct series files;
	bool has_files;
	bool next_wanted;		/* begin a new file when the record is finished */
	uint64_t file_bytes, file_most; /* of the file being written; its limit, 0: none */
	uint64_t file_head;		/* the part of file_bytes that precedes the records */
	uint64_t file_whole;		/* the records are complete up to here */
	uint64_t bytes, written, lost;	/* written, lost: records */
	uint64_t file_from;		/* the value of `written` when the file was begun */
	int error;			/* errno of the failed write, 0: none */
	bool waits_for_room;		/* for files: a full disk is treated as a slow reader */
	bool is_full;			/* the disk is full now, and this was reported */
	bool damaged;			/* written records are gone; this was reported */
	bool may_block;			/* a pipe, a socket or a terminal: its reader can be slow */
	bool is_pipe;
	bool is_sink; /* its owner reports its stored records and how it ended */
	/*
	 * Write the beginning and the end of a file, which are not records, with
	 * output_write_now(); or NULL.
	 */
	void (*file_begin)(void *ctx, struct output *o);
	void (*file_end)(void *ctx, struct output *o);
	void *file_ctx;
	/*
	 * Waits a while. Called until a blocking output takes more, or the disk has room
	 * (fd -1). False: the rest is dropped. Set by the owner, or NULL.
	 */
	bool (*wait)(void *ctx, int fd);
	void *wait_ctx;
	/* Gets the bytes instead of fd, see output_to(); or NULL. */
	void (*take)(void *ctx, const char *s, size_t len);
	void *take_ctx;
};

/*
 * Directs an output, which must be zeroed, to an open file, a pipe or a terminal.
 * Messages call it `name`. Returns 0 or -errno. series_output() opens a series of files.
 */
int output_on(struct output *o, int fd, const char *name);
/* Opens an output that passes its bytes to a function. Returns 0 or -ENOMEM. */
int output_to(struct output *o, void (*take)(void *ctx, const char *s, size_t len), void *ctx);
/* Releases the memory of such an output. Bytes that were not flushed are dropped. */
void output_drop(struct output *o);
const char *output_wrong(const struct output *o, int rc);
void output_put(struct output *o, const char *s, size_t len);
/*
 * Returns room for `len` bytes in the buffer, or NULL if it has none. The second function
 * then takes the end of the bytes that were put there.
 */
static inline char *output_reserve(struct output *o, size_t len);
static inline void output_advance(struct output *o, const char *end);
static inline void output_record_end(struct output *o);
/*
 * True: the caller may put records into the buffer. It notes their ends in o->ends, from
 * o->nends up to OUTPUT_ENDS - 1.
 */
static inline bool output_takes_runs(const struct output *o);
/*
 * Takes the bytes that were put there, up to `to`. The records end at the noted offsets
 * before `ends`, and all are complete up to `begun`. Returns the number of ends.
 */
static inline uint32_t output_take_run(struct output *o, const char *to, const char *begun,
				       const uint32_t *ends);
/* The same, when there is more to do than note the end. */
void output_record_end_rare(struct output *o);
void output_flush(struct output *o);
/* Continues in a new file. An empty file is not kept. */
void output_next_file(struct output *o);
/* Continues in a new file if it is time. Must be called between records. */
void output_look_at_clock(struct output *o);
/* Writes bytes that are not a record directly to the file, before the buffered bytes. */
void output_write_now(struct output *o, const void *bytes, size_t len);
/* Notes that the bytes written so far precede the records. */
void output_head_written(struct output *o);
/* Writes the buffer, including the beginning of an unfinished record. */
void output_flush_all(struct output *o);
/*
 * True: writing to standard output failed because its reader has gone, which is not an
 * error. Also valid after output_close().
 */
bool output_reader_left(const struct output *o);
/*
 * Flushes and closes. False: writing failed, now or earlier, and the message was printed.
 */
bool output_close(struct output *o);
/* Makes the output fail as if it had been written to: the reader of the pipe has gone. */
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
