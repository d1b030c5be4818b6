/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/aarch64/arch_unwind.h"
#include "cfi/registers.h"
#include "core/program_table.h"

#define X30 30

/* The link register holds the return address until a function saves it. */
static int slot(uint64_t reg)
{
	if (reg == X30)
		return STP_UNWIND_RETURN;
	return reg >= ARCH_UNWIND_FIRST && reg <= ARCH_UNWIND_LAST ? (int)ARCH_UNWIND_SLOT(reg)
								   : -1;
}

const struct arch_unwind aarch64_unwind = {
	.slot = slot,
	.sp = STP_UNWIND_SP,
	.return_column = X30,
	.has_link = true,
	.signs = true,
};
