/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads lines that a user types. On a terminal libedit edits, completes and remembers
 * them, if stap was built with it. Otherwise they are read as they come.
 */
#ifndef STAP_DIALOGUE_LINE_H
#define STAP_DIALOGUE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/vec.h"

struct arena;

typedef VEC(const char *) line_words;

/*
 * Finds the words that can complete a line, and the place where they begin. A single word
 * is followed by a blank, unless it ends in a sign.
 */
typedef void (*line_complete)(void *context, const char *line, size_t *begin, line_words *ret);

struct line_reader {
	struct arena *arena;
	bool is_terminal;    /* somebody types: there are prompts */
	const char *history; /* its file, or NULL */
	line_complete complete;
	void *context;
	const char *prompt;  /* of the line that is read */
	int ended_by;	     /* a signal that ends the session, or 0 */
	void *editor, *past; /* libedit's */
	char *text;	     /* the last line */
	size_t room;
};

enum line_kind {
	LINE_TEXT,
	LINE_CANCELLED, /* by ^C */
	LINE_OVER,	/* ^D, the end of the file, a terminal that is gone, a signal */
};

/* Opens a reader whose first members are set. */
void line_open(struct line_reader *r);
/* Reads a line, without its newline. It is valid until the next call. */
enum line_kind line_read(struct line_reader *r, const char *prompt, const char **ret);
/* Writes the history. */
void line_close(struct line_reader *r);

#endif
