/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables as text: sorting their lines by a column, and rates in place of its numbers. */
#ifndef TRACE_FORM_TOPSORT_H
#define TRACE_FORM_TOPSORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topsort {
	unsigned column; /* from 1; 0: nothing is changed */
	bool ascending;
	uint64_t span; /* ns that the numbers are of, to make rates of them; 0: none */
};

/*
 * Returns the text with its tables sorted, in memory of malloc(), its length in *ret_len;
 * NULL: no memory.
 */
char *topsort_text(const struct topsort *how, const char *text, size_t len, size_t *ret_len);

#endif
