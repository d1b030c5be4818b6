/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of libraries whose values are printed by their meaning: one row each in
 * printers.def.
 */
#ifndef STAP_TYPES_PRINTER_H
#define STAP_TYPES_PRINTER_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct session;

/* A member of the type, or of one of its members. */
struct printer_place {
	uint64_t offset; /* bytes */
	uint32_t type;
};

enum printer_kind {
	PRINTER_LETTERS, /* the first ones are text */
	PRINTER_SHORT,
	PRINTER_BYTES,
	PRINTER_ENDED,
	PRINTER_LIST,
	PRINTER_SPAN,
	PRINTER_ARRAY,
	PRINTER_LINKED,
	PRINTER_DEQUE,
	PRINTER_CHUNKS,
	PRINTER_RING,
	PRINTER_BITS,
	PRINTER_HEX,
	PRINTER_SIZE,
	PRINTER_OPTIONAL,
	PRINTER_INNER,
	PRINTER_POINTER,
	PRINTER_SHARED,
	PRINTER_VARIANT,
	PRINTER_TUPLE,
	PRINTER_COMPLEX,
	PRINTER_TIME,
	PRINTER_SECONDS,
	PRINTER_DATE,
	PRINTER_GO_TIME,
	PRINTER_DYNAMIC,
	PRINTER_CODE,
};

struct printer {
	enum printer_kind kind;
	const struct printer_row *row;
	struct printer_place data, count;
	/* The members that the row's `more` names; LINKED: the value in a node. */
	struct printer_place more, room;
	bool has_more;
	uint32_t element; /* type of elements, and of a pointer's target */
	uint64_t size;	  /* of an element */
	/* Elements; CHUNKS: of an array; LINKED: bytes before the next address. */
	uint32_t number;
	uint32_t names;	    /* DYNAMIC: the address to which names of types are relative */
	bool is_moved;	    /* … in the program's file, which is loaded anywhere */
	const char *suffix; /* TIME: the unit */
};

/* A row of printers.def. */
struct printer_row {
	enum printer_kind kind;
	const char *type, *data, *count, *more;
};

/* False: the type has no printer, or lacks members that its printers name. */
bool printer_find(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret);
/*
 * The same for a type that is a string or has one in its place; *at gets the string's
 * distance from the start of the type.
 */
bool printer_find_text(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret,
		       uint64_t *at);

/* Finds a member by its path, through base classes, too; false: there is none. */
bool printer_member(const struct btf *btf, uint32_t type, const char *path,
		    struct printer_place *ret);
/* Returns the type of a value that a library keeps as mere bytes, or the type. */
uint32_t printer_value(struct session *s, const struct btf *btf, uint32_t type);

#endif
