/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

/* Makes no tables: there are no modules that would read them. */
static int slot(uint64_t reg)
{
	return -1;
}

const struct arch_unwind riscv64_unwind = {
	.slot = slot,
	.return_column = 1,
	.has_link = true,
};
