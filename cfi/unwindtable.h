/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a module's table (runtime/core/program_table.h) from the data that was read. */
#ifndef CFI_UNWINDTABLE_H
#define CFI_UNWINDTABLE_H

#include "cfi/cfi.h"

struct table_symbol {
	uint64_t address, size;
	const char *name;
	unsigned rank; /* the name with the highest rank at an address is shown */
};

struct table_line {
	uint64_t address;
	const char *file;
	unsigned line;	/* 0: the sequence ends here */
	unsigned order; /* order in which rows were read */
};

struct table {
	uint64_t base; /* addresses are relative to it */
	struct cfi cfi;
	VEC(struct table_symbol) symbols;
	VEC(struct table_line) lines;
	/* Set by unwindtable_write(): functions left out because they overlap others. */
	size_t overlapping;
};

/* Lays the table out; the bytes are in the arena. */
void unwindtable_write(struct arena *a, struct table *t, const uint8_t **ret, uint32_t *size);

#endif
