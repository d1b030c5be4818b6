/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

static const struct arch_entry entries[] = {
	{ "__ia32_compat_sys_", true, true },
	{ "__ia32_sys_ia32_", true, true },
	{ "__ia32_sys_", true, false },
	{ "__x64_sys_", false, false },
	{ NULL, false, false },
};

static const char *const compat[] = { "__ia32_compat_sys_", "__ia32_sys_ia32_", "__ia32_sys_",
				      NULL };

static const char *const tables[] = { "syscalls_64.h", "syscalls_32.h", NULL };

static const struct declaration undeclared[] = {
	{ "arch_prctl", "int option, unsigned long arg2" },
	{ "ia32_clone", "unsigned long clone_flags, unsigned long newsp, int *parent_tidptr, "
			"unsigned long tls_val, int *child_tidptr" },
	{ "ioperm", "unsigned long from, unsigned long num, int turn_on" },
	{ "iopl", "unsigned int level" },
	{ "modify_ldt", "int func, void *ptr, unsigned long bytecount" },
	{ NULL, NULL },
};

const struct arch_syscalls x86_64_syscalls = {
	.native = "__x64_sys_",
	.entries = entries,
	.library = { "__x64_", "__ia32_", "__ia32_compat_" },
	.compat = compat,
	.compat_config = "CONFIG_IA32_EMULATION",
	.inlining_config = "CONFIG_LTO_CLANG",
	.tables = tables,
	.undeclared = undeclared,
};
