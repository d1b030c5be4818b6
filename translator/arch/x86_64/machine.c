/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"

static const char *const header_flags[] = { "-mcmodel=kernel", "-mno-sse", NULL };

const struct arch_machine x86_64_machine = {
	.elf = EM_X86_64,
	.elf_32 = EM_386,
	.kernel_dir = "x86",
	.script_name = "x86_64",
	.cross = "x86_64-linux-gnu-",
	.own_member = "orig_ax",
	.header_flags = header_flags,
	.watches = 4, /* debug registers */
	.user_end = UINT64_C(0x7ffffffff000),
	.long_double = 10,
	.orders_stores = true,
};
