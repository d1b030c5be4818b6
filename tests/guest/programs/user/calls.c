/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions with parameters, locals and results that are known. Not optimised, with debuginfo. */
// cflags: -Wno-infinite-recursion -g -O0
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct point {
	int x, y;
	unsigned flag : 3;
	const char *name;
	struct point *next;
};

enum size { NONE, LARGE = 200, HUGE = 0xfffffff0 };
enum level { BELOW = -7, ABOVE = 130 };
static enum size sizes[3] = { LARGE, NONE, HUGE };
static enum level levels[2] = { BELOW, ABOVE };

static jmp_buf out;
static const int of_no_place = -77; /* optimised, it has a value only */
static struct point moved[2] = { { 0, 0, 0, "nothing", NULL }, { 0, 0, 0, "moved", NULL } };

__attribute__((noinline)) int shift(struct point *p, int by)
{
	int before = p->x;

	p->x += by;
	moved[1].x++;
	moved[1].next = p;
	return before;
}

__attribute__((noinline)) long depth(int n)
{
	long below = n ? depth(n - 1) : 0;

	return below + n;
}

__attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return a + b * c - d * e + f * g - h + of_no_place + 77;
}

__attribute__((noinline)) void leave(int n)
{
	if (!n)
		longjmp(out, 1);
	leave(n - 1);
}

int main(void)
{
	struct point b = { 7, -8, 5, "second", NULL }, a = { 5, -6, 3, "first", &b };
	long sum = sizes[1] + levels[0] + 7 + strlen(a.name) + strlen(b.name) -
		   11; /* probes read what is in memory */

	for (int i = 1; i <= 3; i++)
		sum += shift(&a, i) + depth(i);
	for (int i = 0; i < 300; i++)
		if (!setjmp(out))
			leave(2);
	sum += depth(4) + (long)strlen(a.name);
	sum += many(1, 2, 3, 4, 5, 6, 7, 8) - 21;
	return sum == 5 + 6 + 8 + 1 + 3 + 6 + 10 + 5 ? 0 : 1;
}
