/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a variable is when the code stands at one address: a DWARF
 * location, worked out as far as it can be before the code runs.
 */
#ifndef STAP_DWARF_LOCATION_H
#define STAP_DWARF_LOCATION_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "ast/access.h"

struct session;
struct error;
struct dwarf_file;

/* The address, and what locations are relative to there. */
struct location_frame {
	Dwarf_Addr pc;
	/* pc is the function's first instruction: values at entry are those of now */
	bool is_entry;
	/* has the frame base: the function that stands in memory, not an inlined one */
	Dwarf_Die *function;
	struct dwarf_file *file;
};

enum location_kind {
	LOCATION_VALUE,   /* the words are the value */
	LOCATION_ADDRESS, /* the word is its address */
	LOCATION_POINTER, /* a pointer that is not there, to something that is: target and offset */
};

struct location {
	enum location_kind kind;
	struct access_expression *expression;
	Dwarf_Die target;
	int64_t offset;
	/* of one that is not there: it is, but in a register that probes cannot read */
	bool is_unreadable;
};

/*
 * By DW_AT_location or DW_AT_const_value of a variable or parameter.
 * ERROR_ABSENT: it is not there at this address; the text says why.
 */
struct error *machine_location(struct session *s, const struct location_frame *f,
			       Dwarf_Die *variable, struct location *ret);

#endif
