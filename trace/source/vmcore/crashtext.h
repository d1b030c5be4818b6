/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the data that modules have left in the memory of a dump (uapi/crash.h), and
 * checks all addresses and sizes in it.
 */
#ifndef TRACE_SOURCE_VMCORE_CRASHTEXT_H
#define TRACE_SOURCE_VMCORE_CRASHTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/crash.h"

struct physical;

/* A range of a module's memory. */
struct crash_area {
	uint64_t from, bytes;	/* from: offset in its first page */
	const uint64_t *frames; /* NULL: there is no such area */
};

struct crash_ring {
	struct crash_area cpu, ring, books;
};

struct crash_table {
	const uint8_t *bytes;
	size_t size;
};

struct crashtext {
	struct physical *memory;
	uint64_t address; /* of the first page */
	struct stp_crash_header header;
	uint8_t *text;
	struct crash_table tables[STP_CRASH_INLINE + 1];
	struct crash_ring *rings;
	struct crash_area *globals;
};

/*
 * Searches for the module of that name; NULL: for the only one. False: there is none, or
 * more than one, or it is damaged, which was reported.
 */
bool crashtext_open(struct crashtext *c, struct physical *p, const char *module);
void crashtext_close(struct crashtext *c);
/* Reads from an area. False: a part is not in the dump; *at is its address. */
bool crashtext_read(const struct crashtext *c, const struct crash_area *a, uint64_t from, void *buf,
		    size_t size, uint64_t *at);
/* Returns the physical address of a place in an area. */
uint64_t crashtext_address(const struct crashtext *c, const struct crash_area *a, uint64_t from);

#endif
