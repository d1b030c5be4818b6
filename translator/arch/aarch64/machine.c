/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"

static const char *const header_flags[] = { "-mgeneral-regs-only", NULL };

const struct arch_machine aarch64_machine = {
	.elf = EM_AARCH64,
	.elf_32 = EM_ARM,
	.kernel_dir = "arm64",
	.script_name = "arm64",
	.cross = "aarch64-linux-gnu-",
	.own_member = "pmr_save",
	.header_flags = header_flags,
	.watches = 4,
	.user_end = UINT64_C(1) << 52,
	.long_double = 16,
};
