/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins the records of a run, from a source (sources.h) such as its raw files, and writes
 * them in a form, as the run would have done without -b. The files may come from
 * anywhere. Nothing in them is trusted, and errors are reported with the file's name and
 * the offset in it.
 */
#ifndef TRACE_SOURCE_JOIN_H
#define TRACE_SOURCE_JOIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/merge.h"
#include "trace/records.h"
#include "trace/source/raw.h"
#include "uapi/rawfile.h"

#define JOIN_BUFFER (512u << 10) /* of each ring */

/* One file. */
struct join_part {
	const char *name;
	struct raw_header header;
	uint64_t size;
	uint64_t from;	/* bytes of the ring's stream before this file */
	uint64_t begin; /* offset of the first record to read */
};

/* The files of one ring, in order. */
struct join_ring {
	struct join_part *parts;
	unsigned nparts, current;
	int fd;			  /* of the current part, -1: not open */
	uint64_t at;		  /* in the current part */
	uint64_t bytes_read;	  /* bytes of records so far */
	uint64_t hits, hits_here; /* in all parts; in the current one */
};

struct join;
struct source_ops;
struct storedlines;

/* Reports an error at an offset after the ring's first record. */
typedef void (*join_report)(struct join *j, unsigned ring, uint64_t offset, const char *what);

struct join {
	struct output *output;
	const struct source_ops *source; /* sources.h; NULL: not open */
	void *own;			 /* the source's */
	struct join_part *parts;
	unsigned nparts;
	struct join_ring *rings;
	unsigned nrings;
	char *module, *host;
	struct tables tables;
	struct merge merge;
	struct records records;
	char *books_text;
	size_t books_len;
	char *books_copy; /* the books as text, after join_check() */
	struct books books;
	bool has_books;
	bool verbose; /* [cpu,sequence,length] before each hit */
	uint64_t sequence;
	uint64_t from, to; /* records outside these times are left out; 0, UINT64_MAX: none are */
	bool stopped;	   /* no more records are wanted */
	bool damaged;	   /* some of it was missing or unreadable, which was reported */
	bool reported;
	bool cut_off;		   /* the writer of a stream ended early */
	FILE *in;		   /* of stream.h */
	uint64_t at;		   /* offset of the next byte to read */
	uint64_t record_at;	   /* the offset of the current record */
	struct storedlines *lines; /* counts records that are lines of the output; or NULL */
	void (*line)(struct storedlines *l, uint32_t probe); /* storedlines_record() */
};

/* Opens the files. False: they are not of one run, which was reported. */
bool join_file_open(struct join *j, char *const *names, unsigned n, struct output *o);
/* Writes all records that can be read. */
void join_run(struct join *j);
/* The reason that ends a merge when all requested records have been emitted. */
extern const char join_past[];
/* Take one record or many; see merge_ops. */
const char *join_emit(void *j, unsigned ring, const struct stp_record *head, const uint8_t *body);
const uint8_t *join_emit_run(void *j, const uint8_t *at, const uint8_t *end, uint64_t until,
			     uint64_t *records);
/*
 * Merges the rings of a source. Returns NULL, join_past, or the text of an error, which
 * was reported.
 */
const char *join_merge(struct join *j, const struct merge_ops *ops, join_report report);
/* Leaves out records outside these times. Call it between opening and join_run(). */
void join_between(struct join *j, uint64_t from, uint64_t to);
/* Takes a piece of the books. False: they are implausibly long. */
bool join_add_books(struct join *j, const struct stp_record *head, const uint8_t *body);
/* Drops the books: others follow. */
void join_drop_books(struct join *j);
/* Reports records that are missing according to the books. */
void join_check(struct join *j);
void join_close(struct join *j);

/*
 * Checks a record of a file. Returns NULL or an error text. Inline, because a call for
 * every record would cost a third of the reading time.
 */
static inline const char *join_check_record(const struct stp_record *head)
{
	if (head->len > STP_RECORD_MAX)
		return "record longer than any can be";
	if (head->kind >= RECORD_KINDS && head->kind != RAW_BOOKS && head->kind != RAW_END &&
	    head->kind != RAW_MARK)
		return "record of unknown kind";
	if (head->flags & ~RECORD_FLAGS)
		return "record with unknown flags";
	return NULL;
}

#endif
