/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books of a run: for every probe, hits = delivered + dropped + skipped. They are
 * read from the module at the end (uapi/msg.h describes the text) and shown if something
 * was lost, or on request.
 */
#ifndef TRACE_BOOKS_H
#define TRACE_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/msg.h"

struct book {
	const char *point; /* NULL: no hits */
	uint64_t hits, delivered, dropped, skipped;
	uint64_t unreturned; /* calls, which are neither hits nor lost */
	uint64_t ns;	     /* in handlers; 0: row of one CPU or of all probes, or unknown */
};

/* A line of the books: one probe on one CPU. */
struct book_row {
	uint32_t probe;
	const char *cpu; /* a number, "slow", or "any" */
	const char *point;
	struct book book;
};

/* A global for which hits were skipped, because another handler held it too long. */
struct contended {
	const char *global;
	uint64_t hits;
};

struct books {
	char *text; /* the text as read; `point` members point into it */
	/*
	 * With --to: the stored records of each probe, and last those of no probe; or
	 * NULL.
	 */
	const uint64_t *stored;
	uint64_t all_stored, given; /* sums over all probes; given: handed to stap-merge */
	struct book *probes;
	uint32_t nprobes;
	struct book_row *rows;
	uint32_t nrows;
	struct book total;
	uint64_t reasons[STP_SKIP_COUNT]; /* STOPPING does not count as hits */
	struct contended *contended;
	uint32_t ncontended;
};

/* Parses the text and takes ownership of it (malloc). Returns NULL or an error text. */
const char *books_parse(struct books *b, char *text, uint32_t nprobes);
void books_deinit(struct books *b);
/* Returns the word for a reason: "lock", and so on. */
const char *books_reason_word(unsigned reason);
/*
 * Returns the number of hits that are missing from the output. A hit whose handler raised
 * an error is not lost: the error was reported.
 */
uint64_t books_lost(const struct books *b);
typedef void books_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning line for each probe that lost hits. */
void books_warn(const struct books *b, books_warning *warning);
/* Prints the whole table to stderr. */
void books_print(const struct books *b);

#endif
