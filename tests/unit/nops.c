/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of a process beside its file's: what kernels make of the nops that they replace by
 * calls is no change of the program's own.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unit.h"

#include "arch/x86_64/arch_nops.h"

#define NOP5	"\x0f\x1f\x44\x00\x00"
#define CALL5	"\xe8\xbb\xdd\xff\xff"
#define NOP10	"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"
#define CALL10	"\x48\x8d\x64\x24\x80\xe8\x76\xdd\xff\xff"
#define AFTER10 "\x66\x2e\x0f\x1f\x84\xe8\x76\xdd\xff\xff"
#define AGAIN10 "\xcc\x2e\x0f\x1f\x84\xe8\x76\xdd\xff\xff"

static unsigned rewritten(const char *file, const char *memory, unsigned left)
{
	return arch_nop_rewritten((const uint8_t *)file, (const uint8_t *)memory, left);
}

static void test_rewritten(void)
{
	CHECK_LONG(rewritten(NOP5 "\x90", CALL5 "\x90", 6), 5);
	CHECK_LONG(rewritten(NOP10 "\x90", CALL10 "\x90", 11), 10);
	CHECK_LONG(rewritten(NOP10 "\x90", AFTER10 "\x90", 11), 10);
	CHECK_LONG(rewritten(NOP10 "\x90", AGAIN10 "\x90", 11), 10);
}

/* A nop cut off by the end of a page counts by the part that is there. */
static void test_cut(void)
{
	for (unsigned left = 1; left < 5; left++)
		CHECK_LONG(rewritten(NOP5, CALL5, left), 5);
	for (unsigned left = 1; left < 10; left++)
		CHECK_LONG(rewritten(NOP10, CALL10, left), 10);
	CHECK_LONG(rewritten(NOP10, CALL10, 0), 0);
}

static void test_changed(void)
{
	CHECK_LONG(rewritten(NOP5, NOP5, 5), 0); /* the same: compared as all code is */
	CHECK_LONG(rewritten(NOP5, "\xe9\xbb\xdd\xff\xff", 5), 0);
	CHECK_LONG(rewritten(NOP10, "\x48\x8d\x64\x24\x80\xe9\x76\xdd\xff\xff", 10), 0);
	CHECK_LONG(rewritten(NOP10, "\x66\x2e\x0f\x1f\x85\xe8\x76\xdd\xff\xff", 10), 0);
	CHECK_LONG(rewritten("\x0f\x1f\x44\x00\x01", CALL5, 5), 0);
	CHECK_LONG(rewritten("\x55\x48\x89\xe5\x53", CALL5, 5), 0);
	CHECK_LONG(rewritten("\x66\x2e\x0f\x1f\x84\x01\x00\x00\x00\x00", CALL10, 10), 0);
}

static unsigned behind(const char *code, unsigned left)
{
	return arch_nop_behind((const uint8_t *)code, left);
}

static void test_markers(void)
{
	CHECK_LONG(behind("\x90" NOP10, 11), 1);
	CHECK_LONG(behind("\x90" NOP10, 10), 0);
	CHECK_LONG(behind("\x90\x90" NOP10, 12), 0);
	CHECK_LONG(behind("\x90" NOP5 NOP5, 11), 0);
	CHECK_LONG(behind(NOP10 "\x90", 11), 0);
}

static void test_pads(void)
{
	CHECK_LONG(arch_nop_pad((const uint8_t *)"\xf3\x0f\x1e\xfa", 4), 4);
	CHECK_LONG(arch_nop_pad((const uint8_t *)"\xf3\x0f\x1e\xfa", 3), 0);
	CHECK_LONG(arch_nop_pad((const uint8_t *)"\xf3\x0f\x1e\xfb", 4), 0); /* endbr32 */
	CHECK_LONG(arch_nop_pad((const uint8_t *)"\xf3\x90\x55\x48", 4), 0);
}

int main(void)
{
	RUN(test_rewritten);
	RUN(test_cut);
	RUN(test_changed);
	RUN(test_markers);
	RUN(test_pads);
	return unit_end();
}
