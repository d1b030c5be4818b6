/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of Go's compiler: the check of the stack that a function begins with, and the
 * instructions that return.
 */
#include <string.h>

#include "unit.h"

#include "arch/x86_64/gocode.c"
#include "arch/x86_64/length.c"

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

static size_t seen[8], nseen;

static void see(void *ctx, size_t at)
{
	(void)ctx;
	if (nseen < sizeof(seen) / sizeof(seen[0]))
		seen[nseen++] = at;
}

static const char *returns(const char *code, size_t len)
{
	nseen = 0;
	return gocode_returns((const uint8_t *)code, len, see, NULL);
}

#define RETURNS(code) returns(code, sizeof(code) - 1)

static void test_returns(void)
{
	/* a c3 in the middle of an instruction is none */
	CHECK(!RETURNS("\xb8\xc3\x00\x00\x00\xc3\xb8\x01\x00\x00\x00\xc3\xcc\xcc"));
	CHECK_LONG((long long)nseen, 2);
	CHECK_LONG((long long)seen[0], 5);
	CHECK_LONG((long long)seen[1], 11);
	CHECK(!RETURNS("\x74\x01\xc3\x48\x89\xc8\xeb\xf8"));
	CHECK_LONG((long long)nseen, 1);
	CHECK(!RETURNS("\xc2\x08\x00\xf3\xc3"));
	CHECK_LONG((long long)nseen, 2);
	/* calls go elsewhere and come back; a table of jumps stays in the function */
	CHECK(!RETURNS("\xe8\x00\x10\x00\x00\x42\xff\x24\xc8\xc3"));
	CHECK_LONG((long long)nseen, 1);
}

static void test_unknown(void)
{
	CHECK_TEXT(RETURNS("\xe9\x00\x10\x00\x00\xc3"),
		   "it goes on in another function, by a jump");
	CHECK_TEXT(RETURNS("\x0f\x84\x00\x10\x00\x00\xc3"),
		   "it goes on in another function, by a jump");
	CHECK_TEXT(RETURNS("\xeb\xf0\xc3"), "it goes on in another function, by a jump");
	CHECK_TEXT(RETURNS("\xff\xe0\xc3"),
		   "it jumps to an address out of a register, which may be another function's");
	CHECK_TEXT(RETURNS("\x41\xff\x22\xc3"),
		   "it jumps to an address out of a register, which may be another function's");
	CHECK_TEXT(RETURNS("\x06\xc3"), "it has an instruction that is not known here");
	CHECK_TEXT(RETURNS("\x48"), "it has an instruction that is not known here");
	CHECK(!returns("", 0));
}

int main(void)
{
	RUN(test_check);
	RUN(test_returns);
	RUN(test_unknown);
	return unit_end();
}
