/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bit fields as DWARF 2 has them, which a script changes. */
// cflags: -O0 -gdwarf-2 -gstrict-dwarf
#include <stdio.h>
struct bits {
	int first;
	unsigned a : 5;
	int bit : 6;
	int sbit : 4;
	unsigned long long wide : 40;
	char last;
};
__attribute__((noinline)) int change(struct bits *p)
{
	__asm__ volatile("" ::: "memory");
	return p->bit;
}
int main(void)
{
	struct bits t = { 1, 3, 5, -3, 0x123456789aULL, 9 };
	int r = change(&t);
	printf("returned %d, first=%d a=%u bit=%d sbit=%d wide=%llx last=%d\n", r, t.first, t.a,
	       t.bit, t.sbit, (unsigned long long)t.wide, t.last);
	return 0;
}
