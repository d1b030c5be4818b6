/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writer of C text. Lines are indented by the depth that writer_open() and writer_close()
 * keep. It is in base so that constructs and probe families can emit C without knowing
 * the emitter.
 */
#ifndef STAP_WRITER_H
#define STAP_WRITER_H

#include "lib/strbuf.h"

/* The listener to words that begin so in lines, outside of quotes. */
struct writer_words {
	const char *prefix;
	void (*found)(void *ctx, const char *line, const char *word);
	void *ctx;
};

struct writer {
	struct strbuf out;
	unsigned depth;
	const struct writer_words *words; /* NULL: nobody */
};

void writer_init(struct writer *w, struct arena *a);
/* Releases the writer's memory. */
void writer_release(struct writer *w);
/* Writes one whole line; the newline is added. */
void writer_line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * Writes a line that ends in '{' and goes one level deeper: writer_open(w, "if (%s)", c).
 * An empty format opens a bare block.
 */
void writer_open(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * Goes one level back and writes "} tail"; writer_reopen() continues with another block
 * instead.
 */
void writer_close(struct writer *w, const char *tail);
/*
 * Writes "} else {" and the like: goes one level back, writes the line, goes one level
 * deeper.
 */
void writer_reopen(struct writer *w, const char *middle);
/* Writes text as it is (embedded C). */
void writer_raw(struct writer *w, const char *text, size_t len);

#endif
