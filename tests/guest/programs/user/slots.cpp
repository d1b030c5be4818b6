/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O2 -std=c++17
/*
 * Variables with one place on the stack in optimised code. Each has one value, by its
 * name, in all functions; the function stores it late, on some paths, or for several
 * variables in the same slot.
 */
#define NOINLINE __attribute__((noinline, noipa))

struct pair {
	int a, b;
};
struct three {
	long a;
	char b;
};
struct big {
	long a, b, c;
};

NOINLINE void use(const void *x)
{
	asm volatile("" : : "r"(x) : "memory");
}

NOINLINE void fill(struct big *x)
{
	*x = { 11, 12, 13 };
}

NOINLINE int twice(int k)
{
	asm volatile("" : "+r"(k));
	return k * 2;
}

NOINLINE int after_branch(int n, struct pair p)
{
	if (n > 3) {
		int value = 47;

		use(&value);
		n -= value;
		use(&value);
		twice(n);
	}
	use(&p);
	return p.b;
}

NOINLINE int after_call(struct pair p, int n)
{
	int m = twice(n);

	if (m > 10)
		return m;
	use(&p);
	return p.a + twice(m);
}

NOINLINE long piecewise(int n, struct three t)
{
	struct big q = { 11, 12, 13 };

	if (n == 5) {
		use(&t);
		twice(n);
	}
	use(&q);
	for (int i = 0; i < n; i++) {
		int value = 47;

		use(&value);
		n += twice(value) > 1000;
	}
	return q.a + t.b;
}

NOINLINE long filled(int n)
{
	struct big q;
	int list[4] = { 1, 2, 3, 4 };

	twice(n);
	fill(&q);
	use(list);
	twice(n);
	return q.b + list[2];
}

NOINLINE int chosen(int n, struct pair p)
{
	switch (n) {
	case 0:
		return 10;
	case 1:
		return twice(4);
	case 2:
		use(&p);
		return p.a;
	case 3:
		return twice(n);
	case 4:
		return 77;
	case 5:
		return twice(n) + 1;
	}
	return n;
}

static inline int first(struct pair p)
{
	use(&p);
	return p.a;
}

static inline int middle(int n)
{
	int value = 47;

	use(&value);
	twice(n);
	return value;
}

static inline int last(struct big q)
{
	use(&q);
	twice(3);
	return (int)q.c;
}

NOINLINE int shared(int n)
{
	struct big q = { 11, 12, 13 };
	struct pair p = { 3, 4 };
	int r = first(p);

	r += middle(n);
	r += last(q);
	r += middle(n + 1);
	return r + first(p);
}

int main()
{
	struct pair p = { 3, 4 };
	struct three t = { 5, 'x' };
	long sum = 0;

	for (int i = 0; i < 8; i++)
		sum += after_branch(i, p) + after_call(p, i) + piecewise(i, t) + filled(i) +
		       chosen(i, p) + shared(i);
	return sum == 0;
}
