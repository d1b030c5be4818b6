/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

enum { REST, ENTRY };

static const struct arch_register all[] = {
#define REGISTER(number, name, member, when) { name, number, when },
#define HALF(number, name, member, when)     { name, number, when },
#define OTHER(name, member)		     { name, -1, REST },
#include "arch/aarch64/arch_registers.def"
#undef OTHER
#undef HALF
#undef REGISTER
	{ 0 },
};

#define SP 31
#define PC 32

/* r0 … r14: sp and lr of 32-bit programs are x13 and x14. */
static const uint8_t of_32[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, PC };

const struct arch_registers aarch64_registers = {
	.all = all,
	.sp = SP,
	.ip = PC,
	.of_32 = of_32,
	.of_32_count = sizeof(of_32),
	.sp_32 = 13,
};
