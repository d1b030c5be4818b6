/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into what makes a table of a program or library that a run meets,
 * and of a map that a process writes.
 * The module takes each table that is made: nothing in a file leads to one that it
 * refuses.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch_unwind.h"
#include "cfi/programfile.h"
#include "cfi/registers.h"
#include "cfi/symbolmap.h"
#include "core/program_table.h"
#include "lib/arena.h"

#include <elf.h>

extern const struct arch_unwind ARCH_UNWIND_TABLES;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	struct arena *a = arena_create();
	struct stp_program_view view;
	struct programfile p;

	if (write(fd, data, size) == (ssize_t)size &&
	    programfile_read(fd, ARCH_UNWIND_MACHINE, &ARCH_UNWIND_TABLES, NULL, a, &p) &&
	    !stp_program_table_open(p.table, p.table_size, &view))
		abort();
	if (symbolmap_read(fd, 0, &ARCH_UNWIND_TABLES, a, &p) &&
	    !stp_program_table_open(p.table, p.table_size, &view))
		abort();
	close(fd);
	arena_destroy(a);
	return 0;
}
