/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's printf formats, cut into directives once, and the text of records made by
 * them. Most of what scripts print is literal text, plain numbers and plain strings:
 * formats of nothing else go straight to the output's buffer, with one look whether there
 * is room; all else is core/printf.c's.
 */
#ifndef STAPIO_FORMAT_H
#define STAPIO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record_format.h"

struct output;

enum write_how {
	WRITE_TEXT,
	WRITE_STRING,
	WRITE_NUMBER,
	WRITE_FORMATTED,
	WRITE_HEAT, /* a row of a heat map, in colours */
	WRITE_DAMAGED
};

#define FORMAT_SHORT 16

struct directive {
	enum write_how how;
	uint32_t len;             /* of literal text */
	char begin[FORMAT_SHORT]; /* of literal text: copied whole, most texts are shorter */
	struct stp_directive directive;
};

struct format {
	struct directive *directives; /* of formats.directives */
	uint32_t count;
	/*
	 * bytes that the texts and numbers may take, including what is copied in excess;
	 * 0: not all directives are plain
	 */
	uint32_t room;
};

/* Large numbers in a trace are times and addresses, which begin as the last one did. */
struct near {
	uint64_t high; /* all but the last eight digits, not 0 */
	char text[FORMAT_SHORT];
	uint32_t len;
};

struct formats {
	struct format *formats;
	struct directive *directives;
	uint32_t count;
	struct near near;
};

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
