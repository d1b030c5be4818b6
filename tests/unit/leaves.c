/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions by which the flow of a function may leave it. */
#include <stdio.h>
#include <string.h>

#include "unit.h"

#include "arch/x86_64/leaves.c"
#include "arch/x86_64/length.c"

#define ADDRESS 0x1000

static char seen[256];

/* Appends the kind and the place, and of a jump where it leads to: "jumps 4 to 1c;" */
static void see(void *ctx, enum leave how, uint64_t at, uint64_t to)
{
	static const char *const names[] = {
		[LEAVE_RETURNS] = "returns",   [LEAVE_CALLS] = "calls",
		[LEAVE_JUMPS] = "jumps",       [LEAVE_ANYWHERE] = "anywhere",
		[LEAVE_BY_INDEX] = "by index",
	};
	size_t len = strlen(seen);

	(void)ctx;
	len += (size_t)snprintf(seen + len, sizeof(seen) - len, "%s %llx", names[how],
				(unsigned long long)at - ADDRESS);
	if (how == LEAVE_JUMPS)
		len += (size_t)snprintf(seen + len, sizeof(seen) - len, " to %llx",
					(unsigned long long)to - ADDRESS);
	snprintf(seen + len, sizeof(seen) - len, ";");
}

static const char *leaves(const char *code, size_t len)
{
	seen[0] = 0;
	return leaves_find((const uint8_t *)code, len, ADDRESS, see, NULL) ? seen : "not known";
}

#define LEAVES(code) leaves(code, sizeof(code) - 1)

static void test_returns(void)
{
	/* a c3 in the middle of an instruction is none */
	CHECK_TEXT(LEAVES("\xb8\xc3\x00\x00\x00\xc3\xb8\x01\x00\x00\x00\xc3\xcc\xcc"),
		   "returns 5;returns b;");
	CHECK_TEXT(LEAVES("\xc2\x08\x00\xf3\xc3"), "returns 0;returns 3;");
	CHECK_TEXT(leaves("", 0), "");
}

static void test_jumps(void)
{
	CHECK_TEXT(LEAVES("\x74\x01\xc3\x48\x89\xc8\xeb\xf8"),
		   "jumps 0 to 3;returns 2;jumps 6 to 0;");
	CHECK_TEXT(LEAVES("\xe9\x00\x10\x00\x00\xc3"), "jumps 0 to 1005;returns 5;");
	CHECK_TEXT(LEAVES("\x0f\x84\x00\x10\x00\x00\xc3"), "jumps 0 to 1006;returns 6;");
	CHECK_TEXT(LEAVES("\xe3\x02\xc3"), "jumps 0 to 4;returns 2;");
}

static void test_calls(void)
{
	CHECK_TEXT(LEAVES("\xe8\x00\x10\x00\x00\xc3"), "calls 0;returns 5;");
	CHECK_TEXT(LEAVES("\xff\xd0\x41\xff\x14\x24\xc3"), "calls 0;calls 2;returns 6;");
}

/* Tables of a switch have a distance that is added before the jump, or an index. */
static void test_anywhere(void)
{
	CHECK_TEXT(LEAVES("\xff\xe0\xc3"), "anywhere 0;returns 2;");
	CHECK_TEXT(LEAVES("\x41\xff\x22\xc3"), "anywhere 0;returns 3;");
	CHECK_TEXT(LEAVES("\x42\xff\x24\xc8\xc3"), "by index 0;returns 4;");
	CHECK_TEXT(LEAVES("\x3e\xff\xe0\xc3"), "returns 3;");
	CHECK_TEXT(LEAVES("\x48\x01\xd0\xff\xe0"), "");
	CHECK_TEXT(LEAVES("\x48\x01\xc2\xff\xe0"), "anywhere 3;");
	CHECK_TEXT(LEAVES("\x49\x01\xd0\x41\xff\xe0"), "");
}

static void test_unknown(void)
{
	CHECK_TEXT(LEAVES("\x06\xc3"), "not known");
	CHECK_TEXT(LEAVES("\x48"), "not known");
}

int main(void)
{
	RUN(test_returns);
	RUN(test_jumps);
	RUN(test_calls);
	RUN(test_anywhere);
	RUN(test_unknown);
	return unit_end();
}
