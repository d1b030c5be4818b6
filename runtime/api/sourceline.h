/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel: kernel/sourceline.c. */
#ifndef STP_API_SOURCELINE_H
#define STP_API_SOURCELINE_H

#include "api/point.h"

struct stp_source_line {
	const char *file;
	unsigned line;
};
/* False: the script has no line for the address. */
bool stp_source_line(struct stp_ctx *c, uint64_t address, struct stp_source_line *ret);

/*
 * The lines of a range of code. Its addresses are relative to the anchor plus the
 * distance.
 */
struct stp_source_table {
	const struct stp_variable *anchor; /* of a module; NULL: stp_kernel_anchor() */
	int64_t distance;
	const void *table; /* core/program_table.h */
	uint32_t table_size;
};
struct stp_source_tables {
	const struct stp_source_table *tables;
	uint32_t count;
};

#endif
