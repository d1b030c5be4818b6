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

struct printer {
	enum printer_kind {
		PRINTER_LETTERS,
		PRINTER_SHORT,
		PRINTER_LIST,
		PRINTER_SPAN,
		PRINTER_ARRAY,
		PRINTER_SIZE,
		PRINTER_OPTIONAL,
		PRINTER_POINTER,
		PRINTER_COMPLEX,
		PRINTER_DYNAMIC,
	} kind;
	struct printer_place data, count;
	uint32_t element; /* type of elements, and of a pointer's target */
	uint64_t size;	  /* of an element */
	uint32_t number;  /* of elements, of arrays */
	uint32_t names;	  /* DYNAMIC: the address to which names of types are relative */
};

/* False: the type has no printer, or lacks members that its printers name. */
bool printer_find(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret);

#endif
