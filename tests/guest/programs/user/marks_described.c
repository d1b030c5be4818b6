/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers in code with debuginfo. */
// cflags: -g -O1 -Iinclude
#include <stdio.h>
#include <sys/sdt.h>
struct point {
	int x, y;
};
enum color { RED = 3 } color = RED;
int global = 12;
static volatile int hidden = 13;
__attribute__((noinline)) int work(struct point *p, int n)
{
	int local = n * 2 + global++;
	struct point q = { n, local };

	STAP_PROBE1(described, epoch, n);
	hidden += local;
	return printf("%d %d %p\n", local, p->x, (void *)&q) + q.y + color;
}
int main(int argc, char **argv)
{
	struct point p = { 4, 5 };

	(void)argv;
	return work(&p, argc) > 99;
}
