/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that others have written, on a terminal: names of containers, programs and files,
 * output and messages of other machines. Nothing in them may act on the terminal.
 */
#ifndef LIB_PRINTABLE_H
#define LIB_PRINTABLE_H

#include <stddef.h>

/*
 * Replaces by '?' what is no UTF-8 and what a terminal would act on: control characters
 * but tabs and ends of lines, and U+0080 to U+009F.
 */
void printable_make(char *text, size_t len);
/* The same, and tabs and ends of lines become spaces. Returns the text. */
char *printable_line(char *text);
/*
 * Returns the length of the text without the first bytes of a character at its end whose
 * last bytes may still come.
 */
size_t printable_whole(const char *text, size_t len);

/*
 * The last line that somebody else has said. However much that was, it takes no more
 * room: what strangers say is kept here and nowhere else.
 */
#define PRINTABLE_LAST 512
struct printable_last {
	char text[PRINTABLE_LAST]; /* "": nothing yet */
};

/* Keeps the line in place of the one before, its beginning when it is too long. */
void printable_keep(struct printable_last *l, const char *text, size_t len);

#endif
