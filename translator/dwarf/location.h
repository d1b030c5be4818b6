/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a variable when the code is at one address: a DWARF location, evaluated as
 * far as possible before the code runs.
 */
#ifndef STAP_DWARF_LOCATION_H
#define STAP_DWARF_LOCATION_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "ast/access.h"

struct session;
struct error;
struct dwarf_file;

/* The address, and the things that locations there are relative to. */
struct location_frame {
	Dwarf_Addr pc;
	/* pc is the function's first instruction: values at entry are the present ones */
	bool is_entry;
	/*
	 * Has the frame base: the function that has code of its own, not an inlined one.
	 */
	Dwarf_Die *function;
	struct dwarf_file *file;
};

enum location_kind {
	LOCATION_VALUE,	  /* the words are the value */
	LOCATION_ADDRESS, /* the word is its address */
	/*
	 * the variable is a pointer that was optimised out; its target exists: target and
	 * offset
	 */
	LOCATION_POINTER,
};

struct location {
	enum location_kind kind;
	struct access_expression *expression;
	Dwarf_Die target;
	int64_t offset;
	/*
	 * For a missing variable: it exists, but in a register that probes cannot read.
	 */
	bool is_unreadable;
};

/*
 * Evaluates DW_AT_location or DW_AT_const_value of a variable or parameter. ERROR_ABSENT:
 * the variable is missing at this address; the text says why.
 */
struct error *machine_location(struct session *s, const struct location_frame *f,
			       Dwarf_Die *variable, struct location *ret);

#endif
