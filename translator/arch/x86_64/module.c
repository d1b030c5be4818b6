/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "arch/arch.h"
#include "arch/x86_64/size.h"

/* Without these, the compiler refuses options with which kernels are compiled. */
static const char *const flags[] = { "-m64", "-mno-sse", NULL };

const struct arch_module x86_64_module = {
	.address = R_X86_64_64,
	.flags = flags,
	.own_flags = "",
	.fold = fold_code,
	.share = jumps_share,
};
