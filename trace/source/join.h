/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins the raw files of a run (raw.h) to the text, or the JSON, that the run would have
 * written without -b. The files may come from anywhere: nothing in them is believed, and
 * what is wrong is said with the file's name and the offset in it.
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

/* One file. */
struct join_part {
	const char *name;
	struct raw_header header;
	uint64_t size;
	uint64_t from;	/* what of the ring's stream came before it */
	uint64_t begin; /* offset of the first record that is read */
};

/* The files of one ring, in order. */
struct join_ring {
	struct join_part *parts;
	unsigned nparts, current;
	int fd;			  /* of the current part, -1: not open */
	uint64_t at;		  /* in the current part */
	uint64_t stream;	  /* records read so far, in bytes */
	uint64_t hits, hits_here; /* all; of the current part */
};

struct storedlines;

/* A source of records other than files of the rings. */
struct join;
struct join_source {
	/* Reads whole records of a ring; see merge_ops. */
	ssize_t (*read)(struct join *j, unsigned ring, void *buf, size_t size);
	/* Reports what is wrong so many bytes behind the ring's first record. */
	void (*report)(struct join *j, unsigned ring, uint64_t offset, const char *what);
	void (*close)(struct join *j);
};

struct join {
	struct output *output;
	const struct join_source *source; /* NULL: files */
	void *own;			  /* the source's */
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
	uint64_t from, to; /* times: what is outside is left out; 0, UINT64_MAX: nothing is */
	bool stopped;	   /* nothing more is wanted */
	bool damaged;	   /* some of it was not there or could not be read; it has been reported */
	bool reported;
	bool is_stream; /* stream.h */
	bool ended;	/* … and it has been read to its end */
	FILE *in;
	uint64_t at;		   /* … and so far it has been read */
	uint64_t record_at;	   /* where the record that is dealt with began */
	struct storedlines *lines; /* takes note of records that are lines of the output; or NULL */
	void (*line)(struct storedlines *l, uint32_t probe); /* storedlines_record() */
};

/* Opens the files. False: they are not of one run, which has been reported. */
bool join_file_open(struct join *j, char *const *names, unsigned n, struct output *o);
/* Writes everything that can be read. */
void join_run(struct join *j);
/* Takes one record; see merge_ops. */
const char *join_emit(void *j, unsigned ring, const struct stp_record *head, const uint8_t *body);
/* Leaves out what is before or behind these times. Between opening and join_run(). */
void join_between(struct join *j, uint64_t from, uint64_t to);
/* Returns what is wrong with a record of a file, or NULL. */
const char *join_check_record(const struct stp_record *head);
/* Takes a piece of the books. False: they are implausibly long. */
bool join_add_books(struct join *j, const struct stp_record *head, const uint8_t *body);
/* Reports what is missing according to the books. */
void join_check(struct join *j);
void join_close(struct join *j);

#endif
