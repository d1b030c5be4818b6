/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"

static const char *const flags[] = { "-mgeneral-regs-only", NULL };

const struct arch_module aarch64_module = {
	.address = R_AARCH64_ABS64,
	.flags = flags,
	/*
	 * Compile atomic operations as instructions: the kernel has no functions for
	 * them.
	 */
	.own_flags = "-mno-outline-atomics",
	/* Room for ftrace's calls; its size and form must be those of the kernel. */
	.fatal_section = "__patchable_function_entries",
};
