/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"

static const char *const header_flags[] = { NULL };

const struct arch_machine riscv64_machine = {
	.elf = EM_RISCV,
	.elf_32 = EM_NONE,
	.kernel_dir = "riscv",
	.script_name = "riscv",
	.cross = "riscv64-linux-gnu-",
	.own_member = "badaddr",
	.header_flags = header_flags,
	.no_modules = "modules for riscv64 are not made yet: stop at -p3, -L or -l",
	.watches = 0,
	.user_end = UINT64_C(1) << 56,
	.long_double = 16,
};
