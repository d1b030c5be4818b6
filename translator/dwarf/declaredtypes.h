/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of libraries that a program's debuginfo only declares. clang -g leaves out the
 * definitions of types whose constructors are compiled elsewhere, in the C++ library:
 * strings above all. What they consist of is the same in all programs.
 */
#ifndef STAP_DWARF_DECLAREDTYPES_H
#define STAP_DWARF_DECLAREDTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct declared_member {
	const char *name; /* NULL: there are no more */
	uint32_t offset;  /* in bytes */
	bool is_text;	  /* it is the address of characters; otherwise a number of 8 bytes */
};

struct declared_type {
	const char *begin, *part, *end; /* of the name */
	uint32_t size;
	struct declared_member members[3];
};

struct declared_letter {
	const char *name;
	uint32_t size;
};

/* Returns the type of that name, and the type of its characters; NULL: it is unknown. */
const struct declared_type *declaredtypes_find(const char *name,
					       const struct declared_letter **letter);

#endif
