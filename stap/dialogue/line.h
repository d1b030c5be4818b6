/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that somebody types. On a terminal they are edited, completed and remembered by
 * libedit, where stap was built with it; otherwise they are read as they come.
 */
#ifndef STAP_DIALOGUE_LINE_H
#define STAP_DIALOGUE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/vec.h"

struct arena;

typedef VEC(const char *) line_words;

/*
 * Finds the words that can stand at the end of a line, and where in it they begin. An
 * only word gets a blank behind it, unless it ends in a sign.
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

/* Takes a reader whose first members are set. */
void line_open(struct line_reader *r);
/* Reads a line, without its end, which holds until the next. */
enum line_kind line_read(struct line_reader *r, const char *prompt, const char **ret);
/* Writes the history. */
void line_close(struct line_reader *r);

#endif
