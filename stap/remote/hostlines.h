/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lines of the machines' output to standard output, or to the files of -o. */
#ifndef STAP_REMOTE_HOSTLINES_H
#define STAP_REMOTE_HOSTLINES_H

#include "stap/remote/fleet.h"

/*
 * A line that is longer than HOSTLINES_MOST is cut there, so that a machine that never
 * ends its line does not take all memory here.
 */
#define HOSTLINES_MOST (16u << 20)

/* Reads how the files of -o rotate. */
struct error *hostlines_init(struct remote *r);
/* Opens the file of -o that the machine's output goes to, unless it is open. */
struct error *hostlines_open(struct remote *r, struct host *h);
/* Writes one line, after its prefix, with a newline. */
void hostlines_put(struct remote *r, struct host *h, const char *text, size_t len);
/*
 * Takes output as it comes. Each line is of one machine; the output of one machine alone
 * is written as it is, but on a terminal.
 */
void hostlines_take(struct remote *r, struct host *h, const char *text, size_t len);
/* Takes the end of the output. */
void hostlines_end(struct remote *r, struct host *h);
/*
 * Moves text into the line, up to the line's end. Returns true if it is complete, or cut:
 * the caller must empty it after use.
 */
bool hostlines_fill(struct strbuf *line, const char **text, size_t *len);
/* Shows a line of the machine's errors. */
void hostlines_say(const struct remote *r, struct host *h, const char *text, size_t len);
/* Writes the buffered output; r->error has the error. */
void hostlines_flush(struct remote *r);
/* Closes the files. */
void hostlines_close(struct remote *r);

#endif
