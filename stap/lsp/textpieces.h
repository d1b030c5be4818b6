/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A document as pieces: a declaration each, with the text up to the next one, so that an
 * error in one does not affect the others. A probe or a function begins a new piece even
 * if a brace of the piece before is missing.
 */
#ifndef STAP_LSP_TEXTPIECES_H
#define STAP_LSP_TEXTPIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"
#include "stap/lsp/lexemes.h"

struct arena;
struct source;
struct unit;

struct piece {
	uint32_t begin, end;
	size_t first, last;  /* lexemes of the list; last: the one after them */
	bool is_open;	     /* a bracket is not closed, or closed too often */
	bool is_broken;	     /* an error of syntax is in it */
	bool begins_line;    /* it is the first in its line */
	bool in_conditional; /* it is in a %( … %) that began before */
};

struct pieces {
	struct lexemes x;
	VEC(struct piece) list; /* never empty, without gaps */
};

/* `u` is the unit that the parser makes from the source. */
void textpieces_read(struct arena *a, const struct source *source, const struct unit *u,
		     struct pieces *ret);
/* Returns the piece around the offset. */
struct piece *textpieces_at(const struct pieces *p, uint32_t offset);
/* Marks the piece that an error of syntax at the offset is about. */
void textpieces_mark(const struct pieces *p, uint32_t offset);
/* True: a broken piece may declare one of the words between the offsets. */
bool textpieces_declare(const struct pieces *p, uint32_t begin, uint32_t end);

#endif
