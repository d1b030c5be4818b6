/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's printf formats, cut into directives once, and the text of records made by
 * them. Most of what scripts print is literal text, numbers and strings, alone or in
 * fields of a fixed width: formats of nothing else go straight to the output's buffer,
 * with one look whether there is room; all else is core/printf.c's.
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
	WRITE_STRING_FIELD, /* of some width, or cut */
	WRITE_NUMBER,	    /* in decimal, signed */
	WRITE_NUMBER_FIELD, /* of some width, of another kind */
	WRITE_FORMATTED,
	WRITE_HEAT, /* a row of a heat map, in colours */
	WRITE_DAMAGED
};

#define FORMAT_SHORT 16
#define FORMAT_FIELD 128 /* the width of plain fields is less */

struct directive {
	enum write_how how;
	struct stp_directive directive;
};

/*
 * A value of a plain format and the text behind it, which is copied whole: one turn of
 * the loop for both. Longer texts are several steps. Pids, sizes and descriptors are
 * often those of the record before, and so are their digits.
 */
struct step {
	enum write_how how; /* WRITE_TEXT: no value */
	uint32_t len;	    /* of the text */
	char text[FORMAT_SHORT];
	int64_t number; /* the last one of few digits */
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
	 * bytes that the texts and numbers may take, including what is copied in excess;
	 * 0: not all directives are plain
	 */
	uint32_t room;
};

/* Large numbers in a trace are times and addresses, which begin as the last one did. */
struct near {
	uint64_t most;	/* all but the last four digits, not 0 */
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
 * Cuts the formats into directives that point into the texts, which have to stay. False:
 * no memory.
 */
bool formats_init(struct formats *f, const struct stp_format_text *texts, uint32_t count);
void formats_deinit(struct formats *f);
/*
 * Has a value of that format (the first is 0; widths do not count) written in colours,
 * when it is a plain string.
 */
void formats_color(struct formats *f, uint32_t format, uint32_t value);
/*
 * Writes a record's items to the output. False:
 * they fit no format; what came before is written.
 */
bool formats_write(struct formats *f, const uint8_t *body, size_t len, struct output *o);

#endif
