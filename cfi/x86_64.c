/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dwarf.h>

#include "cfi/registers.h"
#include "arch/x86_64/arch_unwind.h"
#include "core/program_table.h"

static int slot(uint64_t reg)
{
	return reg < STP_UNWIND_REGISTERS ? (int)ARCH_UNWIND_SLOT(reg) : -1;
}

/* Linkers write: rsp + 8 + ((rip & 15) >= N) * 8. */
static const uint8_t plt_head[] = { DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and };

const struct arch_unwind x86_64_unwind = {
	.slot = slot,
	.sp = STP_UNWIND_SP,
	.return_column = STP_UNWIND_RETURN,
	.plt = plt_head,
	.plt_size = sizeof(plt_head),
};
