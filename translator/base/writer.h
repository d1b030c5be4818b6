/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes C. Lines are indented by the depth that writer_open()/writer_close() keep. It
 * stands in base so that lang/ and probe/ can emit without knowing emit/.
 */
#ifndef STAP_WRITER_H
#define STAP_WRITER_H

#include "base/strbuf.h"

struct writer {
	struct strbuf out;
	unsigned depth;
};

void writer_init(struct writer *w, struct arena *a);
/* Gives its memory back. */
void writer_release(struct writer *w);
/* One whole line; the newline is added. */
void writer_line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * A line that ends in '{' and one level deeper: writer_open(w,
 * "if (%s)", c). An empty format opens a bare block.
 */
void writer_open(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * "} tail" one level back: writer_close(w, " else {")
 * goes on with another block via writer_reopen().
 */
void writer_close(struct writer *w, const char *tail);
/* "} else {" and the like: back one level, the line, one level deeper. */
void writer_reopen(struct writer *w, const char *middle);
/* Text as it is (embedded C). */
void writer_raw(struct writer *w, const char *text, size_t len);

#endif
