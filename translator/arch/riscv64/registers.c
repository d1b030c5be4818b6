/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

enum { REST, ENTRY };

static const struct arch_register all[] = {
#define REGISTER(number, name, member, when) { name, number, when },
#define OTHER(name, member)		     { name, -1, REST },
#include "arch/riscv64/arch_registers.def"
#undef OTHER
#undef REGISTER
	{ 0 },
};

#define SP 2
/*
 * DWARF has no number for the program counter, and gives this one to a floating-point
 * register. Programs use such registers, the kernel does not.
 */
#define PC 32

const struct arch_registers riscv64_registers = {
	.all = all,
	.sp = SP,
	.ip = PC,
	.sp_32 = SP,
};
