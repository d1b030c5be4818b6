/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the module's printf formats into directives, once, and uses them to write
 * records as text. Scripts mostly print literal text, numbers and strings, alone or in
 * fields of a fixed width. Formats of only these are written directly to the output's
 * buffer, with one check for room. All others go through core/printf.c.
 */
#ifndef TRACE_FORM_FORMAT_H
#define TRACE_FORM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record_format.h"

struct output;

/* Those before WRITE_FORMATTED are plain. */
enum write_how {
	WRITE_TEXT,
	WRITE_STRING,
	WRITE_STRING_FIELD, /* with a width, or cut */
	WRITE_NUMBER,	    /* in decimal, signed */
	WRITE_NUMBER_FIELD, /* with a width, or not decimal */
	WRITE_FORMATTED,
	WRITE_HEAT, /* a row of a heat map, in colours */
	WRITE_DAMAGED
};

#define FORMAT_SHORT 16
#define FORMAT_FIELD 128 /* plain fields are narrower than this */

struct directive {
	enum write_how how;
	struct stp_directive directive;
};

/*
 * A value of a plain format and the text after it, which is copied with it: the loop
 * handles both in one turn. Longer texts take several steps. Pids, sizes and descriptors
 * are often the same as in the record before, so their digits are kept.
 */
struct step {
	enum write_how how; /* WRITE_TEXT: no value */
	uint32_t len;	    /* of the text */
	char text[FORMAT_SHORT];
	int64_t number; /* the last number with few digits */
	char digits[8];
	uint32_t ndigits;
	const struct stp_directive *field; /* of a field */
};

struct format {
	struct directive *directives; /* of formats.directives */
	uint32_t count;
	struct step *steps, *steps_end; /* of formats.steps, when all directives are plain */
	uint32_t least;			/* bytes of an item whose strings are empty */
	/*
	 * the most bytes that the texts and numbers take, including bytes copied in
	 * excess; 0: not all directives are plain
	 */
	uint32_t room;
};

/* Large numbers in a trace are times and addresses, and begin like the one before. */
struct near {
	uint64_t most;	/* all digits but the last four, not 0 */
	uint64_t first; /* all but the last eight */
	char text[FORMAT_SHORT];
	uint32_t most_len, first_len;
};

struct formats {
	struct format *formats;
	struct directive *directives;
	struct step *steps;
	uint32_t count;
	struct near near;
};

/* The format of items of STP_FORMAT_TEXT. */
extern const struct format formats_text;

/*
 * Parses the formats into directives. These point into the texts, which must stay valid.
 * False: no memory.
 */
bool formats_init(struct formats *f, const struct stp_format_text *texts, uint32_t count);
void formats_deinit(struct formats *f);
/*
 * Lets a value of that format be written in colours, if it is a plain string. The first
 * value is 0; widths do not count.
 */
void formats_color(struct formats *f, uint32_t format, uint32_t value);
/*
 * Writes a record's items to the output. False: an item fits no format; the items before
 * it are written.
 */
bool formats_write(struct formats *f, const uint8_t *body, size_t len, struct output *o);

#endif
