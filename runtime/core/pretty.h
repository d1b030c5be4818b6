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
	/* Only the first row: shown alone if the address, that in a pointer, is 0. */
	STP_SHAPE_NULL_POINTER,
	/*
	 * Rows that only core/prettylists.c knows. A place is `size` bytes at `offset`.
	 * Two numbers are kept: the address and the count of the items that the next row
	 * shows.
	 */
	/* The address is `count` more than the place's word; size 0: the place's own. */
	STP_SHAPE_DATA,
	/* The count is `count` less than that at the place; size 0: it is `count`. */
	STP_SHAPE_COUNT,
	/*
	 * The place is a string of libc++, and both numbers were read from its long form.
	 * A short string follows its first `count` bytes. The lowest bit of the first one
	 * is then 0, and the other bits are its length.
	 */
	STP_SHAPE_SHORT,
	STP_SHAPE_BEHIND, /* the place holds the end of elements of `count` bytes */
	/* The same for bits: the next 4 bytes of the place are bits after that end. */
	STP_SHAPE_BEHIND_BITS,
	/* That many characters of `size` bytes (0: 1) at the address: "…". */
	STP_SHAPE_LETTERS,
	STP_SHAPE_RAW,	 /* the same, neither quoted nor escaped; a fault is an error */
	STP_SHAPE_SIZED, /* the count alone: <size 3>; size 8: of the number at the place */
	STP_SHAPE_USED,	 /* the count of owners of the last value, and `offset`: <count 2> */
	STP_SHAPE_BITS,	 /* that many bits at the address: [1, 0] */
	/*
	 * Places of the elements of the next list that are not next to each other.
	 *
	 *   LINKED   the address is that of a node. After `size` bytes it has the address
	 *            of the next one, and after `offset` its value. `count` 1: the count
	 *            is not known, and 0 ends the list
	 *   CHUNKS   the address is that of a table of arrays of `count` elements; the
	 *            place holds the number of the first element
	 *   DEQUE    the place has four addresses: of an element, of the start and the
	 *            end of its array, and in the table of arrays. The same follows for
	 *            the end of the list. `count` is the size of an element
	 *   RING     the list begins within an array, at the element whose number is at
	 *            `offset`, and goes on at its start; the array's size is `count`
	 *            bytes further
	 */
	STP_SHAPE_LINKED,
	STP_SHAPE_CHUNKS,
	STP_SHAPE_DEQUE,
	STP_SHAPE_RING,
	/*
	 * Opens a list of elements of `offset` bytes at the address. The rows of an
	 * element follow. `count` rows later, NEXT goes back to them or closes the list.
	 */
	STP_SHAPE_EACH,
	STP_SHAPE_NEXT,
	/*
	 * The rows up to OUTSIDE are about the value whose address is at the place. If it
	 * is 0, they and OUTSIDE, `count` rows, are skipped, and with `size` 9, nil is
	 * shown.
	 */
	STP_SHAPE_INSIDE,
	/*
	 * The same for a virtual base class of the object at the place. Its first word is
	 * an address in a table; `bit_offset` words before that is the distance from the
	 * object to its base class.
	 */
	STP_SHAPE_VIRTUAL,
	STP_SHAPE_OUTSIDE,
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
	 * rows. bit_size 1: it has a sign. bit_offset 1: it is an address, and NAME rows
	 * have those in the program's file.
	 */
	STP_SHAPE_NAMED,
	STP_SHAPE_NAME,	  /* the number as in CASE */
	STP_SHAPE_FLOAT,  /* size 10: with a significand of 64 bits; 16: with one of 113 */
	STP_SHAPE_WIDE,	  /* a number of 16 bytes; bit_size 1: it has a sign */
	STP_SHAPE_HEX,	  /* `count` bytes as one number */
	STP_SHAPE_LETTER, /* a character of Unicode: 'x' */
	STP_SHAPE_SUFFIX, /* text after the last value */
	STP_SHAPE_TARGET, /* the pointer at the place after the last value: (0x55d0c8) */
	/* 1.5s. After `count` bytes, the place has the nanoseconds, 4 bytes. */
	STP_SHAPE_SECONDS,
	STP_SHAPE_NANOSECONDS, /* the same from nanoseconds */
	STP_SHAPE_DATE,	       /* a date, of such a place, since 1970 */
	STP_SHAPE_GO_TIME,     /* a time.Time: 2026-11-30 12:28:13.5 */
	/*
	 * An interface of Go at `offset`: the word there is the address of the type of
	 * its value, and the next that of the value. `count` is the address to which
	 * names of types are relative; bit_offset 1: in the program's file. TABLED: the
	 * word is the address of a table that has that of the type.
	 */
	STP_SHAPE_DYNAMIC,
	STP_SHAPE_TABLED,
};

#define STP_SHAPE_SHOWN	   STP_SHAPE_DATA /* the first row that only core/prettylists.c knows */
#define STP_SHAPE_ELEMENTS 10		  /* shown elements of a list */
#define STP_SHAPE_LISTS	   4		  /* depth of nested lists */
#define STP_SHAPE_HEX_MOST 64		  /* bytes of a number in HEX */

struct stp_shape {
	const char *text; /* before the value: ".name=" */
	uint32_t offset;  /* from the variable's address */
	uint32_t count;
	uint8_t kind;		      /* enum stp_shape_kind */
	uint8_t size;		      /* of a number: 1 2 4 8 bytes */
	uint8_t bit_offset, bit_size; /* of a bit field in it; bit_size 0: not a bit field */
};

#endif
