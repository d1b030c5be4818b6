/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the place of the cursor in a script from the words alone, so that the script need
 * not be valid.
 */
#ifndef STAP_LSP_CURSOR_H
#define STAP_LSP_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

enum place_kind {
	PLACE_OUTSIDE, /* between probes and functions */
	PLACE_HEADER,  /* after `probe`: a point */
	PLACE_BODY,
	PLACE_COMMENT, /* and in embedded C: no text of the script */
};

struct place {
	enum place_kind kind;
	/* the probe's points, when the place is in its header or body; 0, 0: none */
	size_t header, header_end;
	/* the first byte of the text of the string around the place; 0: none */
	size_t string;
};

/* Finds the place of the offset; the text ends in NUL. */
void cursor_find(const char *text, size_t offset, struct place *ret);

/*
 * Finds the beginning and end of the word around the place. `more` are characters that it
 * may have in addition to letters, digits and '_'.
 */
void cursor_word(const char *text, size_t len, size_t offset, const char *more, size_t *begin,
		 size_t *end);

/* True: the string around the place is the argument of that component: process("…"). */
bool cursor_is_argument(const char *text, const struct place *place, const char *component);
/* True: the string names a program or a library. */
bool cursor_is_file(const char *text, const struct place *place);

#endif
