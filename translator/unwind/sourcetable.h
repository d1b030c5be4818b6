/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and its modules, for scripts that ask for them. */
#ifndef STAP_UNWIND_SOURCETABLE_H
#define STAP_UNWIND_SOURCETABLE_H

#include <stdint.h>

#include "lib/vec.h"

struct session;

/* The table of one section. */
struct source_table {
	const char *module, *symbol; /* NULL: the kernel, from its anchor */
	/* distance in bytes from the symbol to the table's first address */
	int64_t distance;
	const uint8_t *table; /* runtime/core/program_table.h */
	uint32_t size;
};
typedef VEC(struct source_table) source_tables;

/*
 * Makes the tables of the kernel, of modules that are probed or that -d names, and with
 * --all-modules of those that are loaded here. If debuginfo is missing, a warning says
 * how to get it.
 */
void sourcetable_collect(struct session *s, source_tables *ret);

#endif
