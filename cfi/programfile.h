/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the table of a program or library from the file alone: without debuginfo, and
 * with the linker's names of symbols. The file is not trusted: it is read, not mapped,
 * and the sizes in it are bounded.
 */
#ifndef CFI_PROGRAMFILE_H
#define CFI_PROGRAMFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct arch_unwind;
struct arena;
struct demangler;

struct programfile_segment {
	uint64_t address, offset, size;
};

struct programfile {
	uint64_t base; /* origin of the addresses in the table */
	VEC(struct programfile_segment) segments;
	const uint8_t *table; /* runtime/core/program_table.h */
	uint32_t table_size;
};

/*
 * Without a demangler, names are the linker's. False: the file is not a 64-bit program
 * for that machine (EM_…), or is damaged.
 */
bool programfile_read(int fd, uint16_t machine, const struct arch_unwind *arch,
		      struct demangler *demangler, struct arena *a, struct programfile *ret);

#endif
