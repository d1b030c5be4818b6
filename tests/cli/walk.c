/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program, or without main() a module, with a little of everything that debuginfo tells: own_modules.sh, hostile_dwarf.sh. */
struct point {
	int x, y : 5, z : 27;
	union {
		long l;
		char c[8];
	};
	struct point *next;
};
enum colour { RED, GREEN = 7 };
static struct point origin = { 1, 2, 3 };
long sum;
static inline __attribute__((always_inline)) int twice(int n)
{
	int m = n * 2;
	sum += m;
	return m;
}
__attribute__((noinline)) int walk(struct point *p, enum colour c, const char *name)
{
	int n = 0;
	for (struct point *q = p; q; q = q->next) {
		long double odd = q->x;
		n += twice(q->x) + (int)odd + name[n & 1];
		if (n > 1000)
			goto out;
	}
out:
	return n + c;
}
static __attribute__((noinline, used)) int hidden(int a)
{
	return a + 1 + (origin.x += 2);
}
#ifndef MODULE
int main(int argc, char **argv)
{
	origin.x = argc;
	return walk(&origin, GREEN, argv[0]);
}
#endif
