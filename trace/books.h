/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books of a run: for every probe, hits = delivered + dropped + skipped. Read from
 * the module at the end (the text is described in uapi/msg.h) and shown when something
 * was lost, or when asked for.
 */
#ifndef TRACE_BOOKS_H
#define TRACE_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/msg.h"

struct book {
	const char *point; /* NULL: no hits */
	uint64_t hits, delivered, dropped, skipped;
	uint64_t ns; /* in handlers; 0: of one CPU, of all probes, or not known */
};

/* A line of the books: one probe on one CPU. */
struct book_row {
	uint32_t probe;
	const char *cpu; /* a number, "slow", or "any" */
	const char *point;
	struct book book;
};

/* A global that hits were skipped for, because another handler had it too long. */
struct contended {
	const char *global;
	uint64_t hits;
};

struct books {
	char *text; /* as read; the points are in it */
	/* Of --to: records of each probe that are stored, and last of none; or NULL. */
	const uint64_t *stored;
	uint64_t all_stored, given; /* of all probes; handed to stap-merge */
	struct book *probes;
	uint32_t nprobes;
	struct book_row *rows;
	uint32_t nrows;
	struct book total;
	uint64_t reasons[STP_SKIP_COUNT]; /* STOPPING: not among the hits */
	struct contended *contended;
	uint32_t ncontended;
};

/* Parses the text, which it takes over (malloc). Returns NULL, or what is wrong. */
const char *books_parse(struct books *b, char *text, uint32_t nprobes);
void books_deinit(struct books *b);
/* Returns the word for a reason: "lock", and so on. */
const char *books_reason_word(unsigned reason);
/*
 * Returns the number of hits that should have been in the output and are not. A hit
 * whose handler raised an error is not lost: that has been reported.
 */
uint64_t books_lost(const struct books *b);
typedef void books_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Warns of each probe that lost something, a line each. */
void books_warn(const struct books *b, books_warning *warning);
/* Prints the whole table to stderr. */
void books_print(const struct books *b);

#endif
