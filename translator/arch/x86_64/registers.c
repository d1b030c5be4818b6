/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

enum { REST, ENTRY };

static const struct arch_register all[] = {
#define REGISTER(number, name, member, when) { name, number, when },
#define HALF(number, name, member, when)     { name, number, when },
#define OTHER(name, member)		     { name, -1, REST },
#include "arch/x86_64/arch_registers.def"
#undef OTHER
#undef HALF
#undef REGISTER
	{ 0 },
};

#define SP 7
#define IP 16

/* eax, ecx, edx, ebx, esp, ebp, esi, edi, eip */
static const uint8_t of_32[] = { 0, 2, 1, 3, 7, 6, 4, 5, IP };

const struct arch_registers x86_64_registers = {
	.all = all,
	.sp = SP,
	.ip = IP,
	.of_32 = of_32,
	.of_32_count = sizeof(of_32),
	.sp_32 = 4,
	.vectors = 17, /* xmm0 */
	.vector_count = 16,
};
