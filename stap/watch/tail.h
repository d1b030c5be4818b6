/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The newest lines of a script's output, for --monitor. */
#ifndef STAP_WATCH_TAIL_H
#define STAP_WATCH_TAIL_H

#include <stddef.h>

#define TAIL_LINES 5000
#define TAIL_WIDTH 4096 /* bytes of a line that are kept */

struct tail {
	char *lines[TAIL_LINES]; /* malloc; a ring */
	size_t first, count;
	char part[TAIL_WIDTH]; /* the line that has not ended yet */
	size_t len;
};

void tail_add(struct tail *t, const char *text, size_t len);
/* Returns the n-th of the lines that are kept, as it was printed. */
const char *tail_line(const struct tail *t, size_t n);
/* Ends the unfinished line. */
void tail_end(struct tail *t);
/* Prints the lines after a screen has shown them. */
void tail_print(const struct tail *t);
void tail_free(struct tail *t);

#endif
