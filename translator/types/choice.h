/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows that lead to others: a value is shown in one of several ways, as a number says.
 *
 *   c = choice_open(…); next = choice_case(…, 1); rows for 1; choice_end_case(…);
 *   rows for all other numbers; choice_close(…)
 */
#ifndef STAP_TYPES_CHOICE_H
#define STAP_TYPES_CHOICE_H

#include "types/shaper.h"

struct choice {
	size_t start;	   /* row: SWITCH */
	size_t len, least; /* characters before, and with the shortest value */
};
typedef VEC(size_t) choice_ends;

/*
 * Appends a row that leads to another row, even if the text is full, and returns its
 * number: rows after it are reached only by a value whose text was full before.
 */
size_t choice_jump(struct shaper *sh, struct stp_shape row);
/* Lets the row lead to the place after the last one. */
void choice_land(struct shaper *sh, size_t row);

struct choice choice_open(struct shaper *sh, const char *name, uint64_t offset, uint64_t size);
/* Opens the rows of a value; returns the JUMP that leads to the next value. */
size_t choice_case(struct shaper *sh, uint64_t value);
/* Ends the rows of a value: they continue after all values. */
void choice_end_case(struct shaper *sh, struct choice *c, size_t next, choice_ends *ends);
/* Ends everything; the rows of all other values come before. */
void choice_close(struct shaper *sh, struct choice *c, const choice_ends *ends);

#endif
