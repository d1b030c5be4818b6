/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Table for printing `$x$` and `$x$$`, written by the translator: one row for each text
 * or value, in the order of printing. A structure is an OPEN row, its members' rows and a
 * CLOSE row.
 *
 *   {.mnt=%p, .dentry=%p}
 *   OPEN "{" · POINTER 8 at 0 ".mnt=" · POINTER 8 at 8 ".dentry=" · CLOSE "}" · END
 */
#ifndef STP_PRETTY_H
#define STP_PRETTY_H

#include "core/env.h"

enum stp_shape_kind {
	STP_SHAPE_END,
	STP_SHAPE_OPEN,
	STP_SHAPE_CLOSE,
	STP_SHAPE_TEXT, /* a value that is not looked into: "{...}" */
	STP_SHAPE_SIGNED,
	STP_SHAPE_UNSIGNED,
	STP_SHAPE_CHAR, /* 'c' */
	STP_SHAPE_POINTER,
	STP_SHAPE_STRING, /* pointer to characters: "…" */
	STP_SHAPE_BYTES,  /* array of `count` characters: "…" */
};

struct stp_shape {
	const char *text; /* in front of the value: ".name=" */
	uint32_t offset;  /* from the variable's address */
	uint32_t count;
	uint8_t kind;		      /* enum stp_shape_kind */
	uint8_t size;		      /* of a number: 1 2 4 8 bytes */
	uint8_t bit_offset, bit_size; /* of a bit field in it; bit_size 0: no bit field */
};

#endif
