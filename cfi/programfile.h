/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a program or library, made of the file alone: without debuginfo, and with
 * symbols as the linker has them. The file may be anybody's: it is read, not mapped, and
 * what it says of sizes is bounded.
 */
#ifndef CFI_PROGRAMFILE_H
#define CFI_PROGRAMFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct arch_unwind;
struct arena;

struct programfile_segment {
	uint64_t address, offset, size;
};

struct programfile {
	uint64_t base; /* origin of the table's addresses */
	VEC(struct programfile_segment) segments;
	const uint8_t *table; /* runtime/core/program_table.h */
	uint32_t table_size;
};

/* False: the file is not a 64-bit program for that machine (EM_…), or is damaged. */
bool programfile_read(int fd, uint16_t machine, const struct arch_unwind *arch, struct arena *a,
		      struct programfile *ret);

#endif
