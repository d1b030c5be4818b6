/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for tests of call frame information: the code, and tables made of a section. */
#ifndef UNIT_CFI_H
#define UNIT_CFI_H

#include <dwarf.h>
#include <stdint.h>

#include "unit.h"

#include "cfi/x86_64.c"

#include "lib/arena.c"
#include "lib/error.c"
#include "lib/hashmap.c"
#include "core/program_table.c"
#include "cfi/cfi.c"
#include "cfi/rules.c"
#include "cfi/unwindtable.c"

static struct arena *arena;

#define CODE 0x1000

static struct error *read_into(struct table *t, const uint8_t *data, size_t size, uint64_t address)
{
	struct cfi_section s = {
		.file = "test", .data = data, .size = size, .offset = 0x100, .address = address
	};

	return cfi_read(&t->cfi, &s);
}

static struct stp_program_view written(struct table *t)
{
	const uint8_t *data;
	struct stp_program_view v = { 0 };
	uint32_t size;

	unwindtable_write(arena, t, &data, &size);
	CHECK(stp_program_table_open(data, size, &v));
	return v;
}

#endif
