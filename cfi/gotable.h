/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of functions that Go's linker writes for Go's own stack traces (.gopclntab).
 * Programs keep it when they are stripped: it has the name of each function and, for each
 * instruction, the distance of the stack pointer from the return address. The bytes are
 * not trusted.
 */
#ifndef CFI_GOTABLE_H
#define CFI_GOTABLE_H

#include <stdbool.h>
#include <stdint.h>

struct table;

struct gotable {
	const uint8_t *data;
	uint64_t size;
	uint64_t text;		    /* address of Go's code */
	uint64_t names, counters;   /* offsets of the names; of the stack pointer's distances */
	uint64_t functions, number; /* offset of the functions, and how many there are */
	uint8_t quantum;	    /* bytes: the unit of addresses */
	bool has_lines;		    /* from Go 1.20 on: the first line of each function */
};

struct gotable_function {
	uint64_t begin, end; /* addresses */
	const char *name;
};

/*
 * Opens a table of Go 1.18 or later, of a 64-bit program. `text`: the address of the code
 * if the table lacks it, as in programs that are loaded anywhere. `entry`: where the
 * program begins, a function of the table then. False: it is another table, or malformed.
 */
bool gotable_open(const uint8_t *data, uint64_t size, uint64_t text, uint64_t entry,
		  struct gotable *ret);
/* Returns a function by its number; false: it is malformed. */
bool gotable_function(const struct gotable *t, uint64_t i, struct gotable_function *ret);
/* True: the section has that table. */
bool gotable_is_section(const char *name);
/*
 * Adds what the program's table of symbols and frames has nothing of: names of functions,
 * and, if `frames` is set, rules for their frames on processors that push return
 * addresses. The names stay in the bytes.
 */
void gotable_add(const struct gotable *t, struct table *to, bool frames);

#endif
