/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that records refer to by number: printf formats and probe points, as the module
 * tells them or a raw file repeats them.
 */
#ifndef TRACE_DICTIONARY_H
#define TRACE_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record_format.h"

struct table {
	char *bytes; /* "u32 length | text" for each, no padding; the rows point into it */
	size_t size;
	struct stp_format_text *rows;
	uint32_t count;
};

struct tables {
	struct table formats, probes;
	/* a row for each format, see uapi/msg.h; NULL: the file is older than they are */
	const struct stp_format_text *fields;
};

void dictionary_deinit(struct tables *t);
/* Fills a table from bytes (malloc), which it takes over also when it fails. */
const char *dictionary_init(struct table *t, char *bytes, size_t size, uint32_t count);
/*
 * Fills the table of formats, and of their fields where the bytes have them. NULL, or
 * what is wrong.
 */
const char *dictionary_formats(struct tables *t, char *bytes, size_t size, uint32_t count,
			       bool have_fields);
/*
 * Returns a ring's CPU for people: a number, or the name of the ring of probes that may
 * sleep.
 */
const char *dictionary_cpu_name(unsigned ring, unsigned nrings, char buf[16]);

#endif
