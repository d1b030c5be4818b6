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
	STP_SHAPE_TEXT, /* a value whose contents are not shown: "{...}" */
	STP_SHAPE_SIGNED,
	STP_SHAPE_UNSIGNED,
	STP_SHAPE_CHAR, /* 'c' */
	STP_SHAPE_POINTER,
	STP_SHAPE_STRING, /* pointer to characters: "…" */
	STP_SHAPE_BYTES,  /* array of `count` characters: "…" */
	/*
	 * Rows that only core/prettylists.c knows. A place is `size` bytes at `offset`.
	 * Two numbers are kept: the address and the count of the items that the next row
	 * shows.
	 */
	STP_SHAPE_DATA,	 /* the address is at the place; size 0: the address is the place */
	STP_SHAPE_COUNT, /* the count is at the place; size 0: it is `count` */
	/*
	 * the place is a string of libc++, and both numbers were read from its long form;
	 * a short string follows its first byte, whose lowest bit is then 0, and whose
	 * other bits are its length
	 */
	STP_SHAPE_SHORT,
	STP_SHAPE_BEHIND,  /* the place holds the end of elements of `count` bytes */
	STP_SHAPE_LETTERS, /* that many characters at the address: "…" */
	STP_SHAPE_RAW,	   /* the same, neither quoted nor escaped; a fault is an error */
	STP_SHAPE_SIZED,   /* the count alone: <size 3> */
	/*
	 * Opens a list of elements of `offset` bytes at the address. The rows of an
	 * element follow. `count` rows later, NEXT goes back to them or closes the list.
	 */
	STP_SHAPE_EACH,
	STP_SHAPE_NEXT,
	/*
	 * Keeps the number at the place. If it cannot be read, "?" is shown and `count`
	 * rows are skipped. CASE: if it equals the kept number, the next row, a JUMP, is
	 * skipped. JUMP: `count` rows are skipped.
	 */
	STP_SHAPE_SWITCH,
	STP_SHAPE_CASE, /* `offset` and `count`: the low and the high half of a number */
	STP_SHAPE_JUMP,
	/*
	 * Shows the number at the place by its name, from one of the next `count` NAME
	 * rows.
	 */
	STP_SHAPE_NAMED,
	STP_SHAPE_NAME, /* the number as in CASE */
	STP_SHAPE_FLOAT,
	/*
	 * An interface of Go at `offset`: the word there is the address of the type of
	 * its value, and the next that of the value. `count` is the address to which
	 * names of types are relative. TABLED: the word is the address of a table that
	 * has that of the type.
	 */
	STP_SHAPE_DYNAMIC,
	STP_SHAPE_TABLED,
};

#define STP_SHAPE_SHOWN	   STP_SHAPE_DATA /* the first row that only core/prettylists.c knows */
#define STP_SHAPE_ELEMENTS 10		  /* shown elements of a list */
#define STP_SHAPE_LISTS	   4		  /* depth of nested lists */

struct stp_shape {
	const char *text; /* before the value: ".name=" */
	uint32_t offset;  /* from the variable's address */
	uint32_t count;
	uint8_t kind;		      /* enum stp_shape_kind */
	uint8_t size;		      /* of a number: 1 2 4 8 bytes */
	uint8_t bit_offset, bit_size; /* of a bit field in it; bit_size 0: not a bit field */
};

#endif
