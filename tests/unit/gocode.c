/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code of Go's compiler: the check of the stack that a function begins with. */
#include <string.h>

#include "unit.h"

#include "arch/x86_64/gocode.c"

#define CHECK_LEN(code) (long long)gocode_check((const uint8_t *)(code), sizeof(code) - 1)
#define CMP_RSP		"\x49\x3b\x66\x10"
#define CMP_R12		"\x4d\x3b\x66\x10"

static void test_check(void)
{
	CHECK_LONG(CHECK_LEN(CMP_RSP "\x76\x10\x55\x48\x89\xe5"), 6);
	CHECK_LONG(CHECK_LEN(CMP_RSP "\x0f\x86\x10\x20\x00\x00\x55"), 10);
	CHECK_LONG(CHECK_LEN("\x4c\x8d\x64\x24\xb0" CMP_R12 "\x76\x10\x55\x90\x90"), 11);
	CHECK_LONG(CHECK_LEN("\x4c\x8d\xa4\x24\x00\xff\xff\xff" CMP_R12 "\x0f\x86\x10\x20\x00\x00"),
		   18);
	CHECK_LONG(CHECK_LEN("\x49\x89\xe4\x49\x81\xec\x00\x20\x00\x00\x72\x20" CMP_R12
			     "\x76\x10\x55\x90\x90\x90"),
		   18);
	CHECK_LONG(
		CHECK_LEN("\x49\x89\xe4\x49\x81\xec\x00\x20\x00\x00\x0f\x82\x20\x00\x00\x00" CMP_R12
			  "\x76\x10\x55\x90\x90\x90"),
		22);
	CHECK_LONG(CHECK_LEN("\x55\x48\x89\xe5\x90\x90\x90\x90\x90\x90\x90"), 0);
	CHECK_LONG(CHECK_LEN(CMP_RSP "\x75\x10\x55\x48\x89\xe5"), 0);
	CHECK_LONG(CHECK_LEN(CMP_RSP), 0);
	CHECK_LONG(CHECK_LEN(""), 0);
}

int main(void)
{
	RUN(test_check);
	return unit_end();
}
