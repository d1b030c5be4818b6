/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

static const struct arch_entry entries[] = {
	{ "__riscv_compat_sys_", true, true },
	{ "__riscv_sys_", false, false },
	{ NULL, false, false },
};

static const char *const compat[] = { "__riscv_compat_sys_", NULL };
static const char *const tables[] = { "syscall_table_64.h", "syscall_table_32.h", NULL };

static const struct declaration undeclared[] = {
	{ NULL, NULL },
};

const struct arch_syscalls riscv64_syscalls = {
	.native = "__riscv_sys_",
	.entries = entries,
	.library = { "__riscv_", NULL, "__riscv_compat_" },
	.compat = compat,
	.compat_config = "CONFIG_COMPAT",
	.tables = tables,
	.undeclared = undeclared,
};
