/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the translator: packed kernels and modules, sections of ELF
 * files, and the symbol table in a kernel's .rodata. The first byte chooses among them.
 */
#include <stdint.h>

#include "formats/file.h"
#include "harness/stap.h"
#include "kernel/facts.h"
#include "lib/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void see_symbol(void *ctx, const char *name, char type, enum kallsyms_kind kind)
{
	*(size_t *)ctx += *name + type;
}

static void see_function(void *ctx, const char *name)
{
	*(size_t *)ctx += *name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct bytes in = { "image", data + 1, size - 1 }, out;
	size_t seen = 0;

	switch (size ? data[0] % 4 : 4) {
	case 0:
		kallsyms_read(a, &in, see_symbol, &seen);
		break;
	case 1:
		unpack_section(a, &in, ".rodata", &out);
		break;
	case 2:
		unpack(a, &in, &out);
		break;
	case 3:
		elf_section(a, &in, ".BTF", &out);
		elf_functions_of(a, &in, ".init.text", see_function, &seen);
		break;
	}
	arena_destroy(a);
	harness_release();
	return 0;
}
