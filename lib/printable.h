/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted text on a terminal: names of containers, programs and files, output and
 * messages of other machines. Nothing in it may control the terminal.
 */
#ifndef LIB_PRINTABLE_H
#define LIB_PRINTABLE_H

#include <stddef.h>

/*
 * Replaces with '?' all bytes that are not UTF-8 and all characters that control a
 * terminal: U+0080 to U+009F, and control characters except tabs and newlines.
 */
void printable_make(char *text, size_t len);
/* The same, and tabs and newlines become spaces. Returns the text. */
char *printable_line(char *text);
/*
 * Returns the length of the text without an incomplete character at its end, the rest of
 * which may still arrive.
 */
size_t printable_whole(const char *text, size_t len);

/*
 * The last line that another machine or program has sent. It never takes more room than
 * this, and untrusted text is kept nowhere else.
 */
#define PRINTABLE_LAST 512
struct printable_last {
	char text[PRINTABLE_LAST]; /* "": nothing yet */
};

/* Keeps this line instead of the one before; of a long line, the beginning. */
void printable_keep(struct printable_last *l, const char *text, size_t len);

#endif
