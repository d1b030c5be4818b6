/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O0 -std=c++17
/* Parameters that a return probe keeps from the entry, in code without optimisation. */
#include <string>

struct mixed {
	double d;
	long n;
};
struct large {
	long a[5];
};

double numbers(double d, int n, float f)
{
	return d + n + f;
}

long object(std::string s, int n)
{
	return (long)s.size() + n;
}

long after_long(long double l, int n)
{
	return (long)l + n;
}

long after_wide(__int128 i, int n)
{
	return (long)i + n;
}

long after_mixed(struct mixed m, double d, int n)
{
	return m.n + n + (long)d;
}

long after_large(struct large l, int n)
{
	return l.a[1] + n;
}

long many(double a, double b, double c, double d, double e, double f, double g, double h, double i,
	  long j, long k, long l, long m, long n, long o, long p)
{
	return (long)(a + b + c + d + e + f + g + h + i) + j + k + l + m + n + o + p;
}

std::string made(int n)
{
	return std::string((size_t)n, 'x');
}

int main()
{
	numbers(2.5, 7, 1.5f);
	object("hello", 7);
	after_long(2.5L, 7);
	after_wide(((__int128)5 << 64) + 6, 7);
	after_mixed({ 1.5, 9 }, 4.5, 7);
	after_large({ { 1, 22, 3, 4, 5 } }, 7);
	many(1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10, 11, 12, 13, 14, 15, 16);
	made(7);
}
