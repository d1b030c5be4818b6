/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module's table, runtime/core/program_table.h, out of what was read of it. */
#ifndef STAP_UNWIND_UNWINDTABLE_H
#define STAP_UNWIND_UNWINDTABLE_H

#include "unwind/cfi.h"

struct table_symbol {
	uint64_t address, size;
	const char *name;
	unsigned rank;       /* of several at one address the highest is shown */
};

struct table_line {
	uint64_t address;
	const char *file;
	unsigned line;       /* 0: the sequence ends here */
	unsigned order;      /* of reading */
};

struct table {
	uint64_t base;       /* addresses are counted from here */
	struct cfi cfi;
	VEC(struct table_symbol) symbols;
	VEC(struct table_line) lines;
	/* set by unwindtable_write(): functions left out because others lie there */
	size_t overlapping;
};

/* The bytes, in the arena. */
void unwindtable_write(struct arena *a, struct table *t, const uint8_t **ret, uint32_t *size);

#endif
