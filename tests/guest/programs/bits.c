/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bit fields as DWARF 2 has them, which a script changes. */
// cflags: -O0 -gdwarf-2 -gstrict-dwarf
#include <stdio.h>
struct bits { unsigned a : 5; int bit : 6; int sbit : 4; unsigned long long wide : 40; };
__attribute__((noinline)) int change(struct bits *p) { __asm__ volatile("" ::: "memory"); return p->bit; }
int main(void) { struct bits t = { 3, 5, -3, 0x123456789aULL }; int r = change(&t); printf("returned %d, a=%u bit=%d sbit=%d wide=%llx\n", r, t.a, t.bit, t.sbit, (unsigned long long)t.wide); return 0; }
