/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls between functions, inlined copies, labels, and calls of a library by way of slots: of .plt, and of .plt.got (getpid). Optimised, with debuginfo. */
// cflags: -std=gnu11 -g -O2 -fno-ipa-cp -fno-ipa-ra
#include <stdlib.h>
#include <unistd.h>

static pid_t (*volatile who)(void) = getpid;

__attribute__((noinline, noclone)) static int leaf(int n)
{
	__asm__ volatile("");
	return n + 1;
}

static inline __attribute__((always_inline)) int small(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n * 2;
}

__attribute__((noinline, noclone)) static int middle(int n)
{
	return leaf(n) + leaf(n + 10) + 1;
}

__attribute__((noinline, noclone)) int outer(int n)
{
	int sum = middle(n) + small(n);

	if (n > 5) {
		sum += leaf(100);
	big:
		__asm__ volatile("nop" : "+r"(sum)); /* no loop that can be unrolled */
		sum++;
		if (sum < 0)
			goto big;
	}
	return sum;
}

int main(void)
{
	int sum = outer(1) + leaf(50) + outer(7);

	sum += abs(atoi("41")) + (getpid() == who());
	sum += write(1, "", 0);
	return sum == 17 + 51 + 143 + 42 ? 0 : 1;
}
