/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and its modules, for scripts that ask for them. */
#ifndef STAP_UNWIND_SOURCETABLE_H
#define STAP_UNWIND_SOURCETABLE_H

#include <stdint.h>

#include "base/vec.h"

struct session;

/* Of one section. */
struct source_table {
	const char *module, *symbol; /* NULL: the kernel, from its anchor */
	int64_t distance;            /* of the table's first address from the symbol */
	const uint8_t *table;        /* runtime/core/program_table.h */
	uint32_t size;
};
typedef VEC(struct source_table) source_tables;

/*
 * The kernel's, and those of modules that are probed, that -d names, or with
 * --all-modules of those that are loaded here. Warns where debuginfo is missing, and what
 * supplies it.
 */
void sourcetable_collect(struct session *s, source_tables *ret);

#endif
