/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the lines of text tables by a column, and can turn its numbers into rates. */
#ifndef TRACE_FORM_TOPSORT_H
#define TRACE_FORM_TOPSORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topsort {
	unsigned column; /* from 1; 0: nothing is changed */
	bool ascending;
	uint64_t span; /* ns in which the numbers were counted, for rates; 0: no rates */
};

/*
 * Returns the text with its tables sorted, allocated with malloc(), and its length in
 * *ret_len. NULL: no memory.
 */
char *topsort_text(const struct topsort *how, const char *text, size_t len, size_t *ret_len);

#endif
