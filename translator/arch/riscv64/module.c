/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"

static const char *const flags[] = { NULL };

const struct arch_module riscv64_module = {
	.address = R_RISCV_64,
	.flags = flags,
	.own_flags = "",
	/* As on arm64; not tried yet. */
	.fatal_section = "__patchable_function_entries",
};
