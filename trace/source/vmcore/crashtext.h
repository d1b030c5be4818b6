/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What modules have left in the memory of a dump (uapi/crash.h): finds it, and checks
 * that everything which it names is one of each.
 */
#ifndef TRACE_SOURCE_VMCORE_CRASHTEXT_H
#define TRACE_SOURCE_VMCORE_CRASHTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/crash.h"

struct physical;

/* A range of the module's memory. */
struct crash_area {
	uint64_t from, bytes;	/* from: in its first page */
	const uint64_t *frames; /* NULL: it is not there */
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
 * Looks for the module of that name, NULL: for the only one. False: there is none, or
 * more, or it is damaged, which has been reported.
 */
bool crashtext_open(struct crashtext *c, struct physical *p, const char *module);
void crashtext_close(struct crashtext *c);
/* Reads from an area. False: a part is not in the dump; *at is the address. */
bool crashtext_read(const struct crashtext *c, const struct crash_area *a, uint64_t from, void *buf,
		    size_t size, uint64_t *at);
/* Returns the physical address of a place in an area. */
uint64_t crashtext_address(const struct crashtext *c, const struct crash_area *a, uint64_t from);

#endif
