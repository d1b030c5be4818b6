/* SPDX-License-Identifier: GPL-2.0-or-later */
/* riscv64 on any machine: jumps of a PLT, as binutils 2.47 make them; registers. */
#include <stdint.h>
#include <string.h>

#include "unit.h"

#include "arch/riscv64/programs.c"
#include "arch/riscv64/registers.c"

static void put32(uint8_t *to, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static void test_plt(void)
{
	uint8_t bytes[8];

	put32(bytes, 0x00024e17);     /* auipc t3, 0x24 */
	put32(bytes + 4, 0xb98e3e03); /* ld t3, -1128(t3) */
	CHECK_LONG(word(bytes, 8, 0x5f70, 0), 0x29b08);
	CHECK_LONG(word(bytes, 7, 0x5f70, 0), 0);
	put32(bytes, 0xfffffe17); /* the page is in front */
	CHECK_LONG(word(bytes, 8, 0x5f70, 0), 0x4b08);
	put32(bytes, 0x00024e97); /* auipc t4 */
	CHECK_LONG(word(bytes, 8, 0x5f70, 0), 0);
}

static int number_of(const char *name)
{
	for (const struct arch_register *r = riscv64_registers.all; r->name; r++)
		if (!strcmp(r->name, name))
			return r->number;
	return -2;
}

static void test_registers(void)
{
	CHECK_LONG(number_of("ra"), 1);
	CHECK_LONG(number_of("sp"), riscv64_registers.sp);
	CHECK_LONG(number_of("s1"), 9);
	CHECK_LONG(number_of("a0"), 10);
	CHECK_LONG(number_of("s2"), 18);
	CHECK_LONG(number_of("t6"), 31);
	CHECK_LONG(number_of("pc"), riscv64_registers.ip);
	CHECK_LONG(number_of("orig_a0"), -1);
	CHECK_LONG(number_of("x0"), -2);
}

int main(void)
{
	RUN(test_plt);
	RUN(test_registers);
	return unit_end();
}
