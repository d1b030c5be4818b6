/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"
#include "sdt/operand.h"

static bool read_operand(struct operand *o, uint32_t *ret)
{
	return sdt_operand_fail(o, "operands of markers are not read on riscv64 yet");
}

const struct arch_marker riscv64_marker = { .read = read_operand };
