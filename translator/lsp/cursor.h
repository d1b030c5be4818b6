/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in a script somebody is, from its words
 * alone: it need not be one that can be parsed.
 */
#ifndef STAP_LSP_CURSOR_H
#define STAP_LSP_CURSOR_H

#include <stddef.h>

enum place_kind {
	PLACE_OUTSIDE, /* between probes and functions */
	PLACE_HEADER,  /* behind `probe`: a point */
	PLACE_BODY,
	PLACE_COMMENT, /* and in embedded C: nothing of the script's */
};

struct place {
	enum place_kind kind;
	/* of the probe's points, whose header or body it is; 0, 0: none */
	size_t header, header_end;
	/* the first byte of the string's text that it is in; 0: in none */
	size_t string;
};

void cursor_find(const char *text, size_t len, size_t offset, struct place *ret);

/*
 * Of the word around: from where to where. `more` are
 * characters that it may have beside letters, digits and '_'.
 */
void cursor_word(const char *text, size_t len, size_t offset, const char *more, size_t *begin,
		 size_t *end);

#endif
