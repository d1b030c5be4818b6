/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls down to functions of all kinds, built with frame pointers. */
// cflags: -O2 -g0 -fno-omit-frame-pointer -fno-optimize-sibling-calls
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;

NOINLINE int leaf(int n)
{
	char room[64];

	sink = n;
	__asm__ volatile("" : : "r"(room) : "memory");
	return sink + 1;
}

NOINLINE int deep(int n)
{
	int result = n > 1 ? deep(n - 1) : leaf(n);

	__asm__ volatile("" : "+r"(result));
	return result;
}

NOINLINE int room(int n)
{
	char large[5000];

	__asm__ volatile("" : : "r"(large) : "memory");
	return deep(n) + 1;
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		if (room(6) != 3)
			return 1;
	return 0;
}
