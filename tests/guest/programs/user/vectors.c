// SPDX-License-Identifier: GPL-2.0-or-later
// cflags: -g -O2
/* Passes floating-point numbers, in four processes that take turns on one CPU. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* The numbers and their bits: the script compares them. */
NOINLINE int passed(double d, long bits, float f, int short_bits, double more, long more_bits)
{
	__asm__ volatile("" : : "x"(d), "x"(f), "x"(more));
	return bits != more_bits && short_bits;
}

NOINLINE double third(double d)
{
	__asm__ volatile("" : "+x"(d));
	return d / 3;
}

static void pass(int n)
{
	for (int i = 1; i <= 5000; i++) {
		double d = i * 1.25 + n, more = -d / 3;
		float f = (float)d / 7;
		long bits, more_bits;
		int short_bits;

		memcpy(&bits, &d, sizeof(bits));
		memcpy(&more_bits, &more, sizeof(more_bits));
		memcpy(&short_bits, &f, sizeof(short_bits));
		passed(d, bits, f, short_bits, more, more_bits);
	}
}

int main(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (int i = 0; i < 4; i++)
		if (!fork()) {
			pass(i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	passed(2.5, 0x4004000000000000, 1.5f, 0x3fc00000, -0.5, 0);
	return third(1.5) == 1;
}
