/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

static const struct arch_entry entries[] = {
	{ "__arm64_compat_sys_", true, true },
	{ "__arm64_sys_", false, false },
	{ NULL, false, false },
};

static const char *const only_32[] = {
	"*_time32", "*[a-z]32",	 "*[a-z]16", "stat64", "lstat64",
	"fstat64",  "fstatat64", "nice",     NULL,
};

static const char *const compat[] = { "__arm64_compat_sys_", NULL };

/* The list of 64-bit calls is not a generated file before 6.11. */
static const char *const tables[] = { "syscall_table_64.h", "syscall_table_32.h", NULL };

static const struct declaration undeclared[] = {
	{ NULL, NULL },
};

const struct arch_syscalls aarch64_syscalls = {
	.native = "__arm64_sys_",
	.entries = entries,
	.library = { "__arm64_", "__arm64_", "__arm64_compat_" },
	.only_32 = only_32,
	.compat = compat,
	.compat_config = "CONFIG_COMPAT",
	.tables = tables,
	.undeclared = undeclared,
};
