/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that records refer to by number: printf formats and probe points. They come from
 * the module, or from a raw file that repeats them.
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
	/* a row for each format, see uapi/msg.h; NULL: an older file without them */
	const struct stp_format_text *fields;
};

void dictionary_deinit(struct tables *t);
/* Fills a table from bytes (malloc) and takes ownership of them even if it fails. */
const char *dictionary_init(struct table *t, char *bytes, size_t size, uint32_t count);
/*
 * Fills the table of formats, and the table of their fields if the bytes have one.
 * Returns NULL or an error text.
 */
const char *dictionary_formats(struct tables *t, char *bytes, size_t size, uint32_t count,
			       bool have_fields);
/*
 * Returns a ring's CPU as shown to users: a number, or the name of the ring of probes
 * that may sleep.
 */
const char *dictionary_cpu_name(unsigned ring, unsigned nrings, char buf[16]);

#endif
