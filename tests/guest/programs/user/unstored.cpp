/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters whose addresses are taken, in optimised code. */
// cflags: -g -O2 -std=c++17
#include <array>
#include <memory>
#include <optional>

union number {
	int i;
	unsigned char b[8];
};
struct pair {
	int a, b;
};

extern "C" __attribute__((noinline, noipa)) void use(const void *p)
{
	asm volatile("" : : "r"(p) : "memory");
}

__attribute__((noinline, noipa)) int one(std::optional<int> o)
{
	use(&o);
	return o.has_value();
}

__attribute__((noinline, noipa)) int two(union number u, int n)
{
	use(&u);
	u.i++;
	return n + u.i;
}

__attribute__((noinline, noipa)) long second(double d, long k, struct pair p,
					     std::array<short, 4> list)
{
	use(&p);
	use(&d);
	use(&k);
	use(&list);
	return k;
}

__attribute__((noinline, noipa)) std::unique_ptr<int> made(union number u)
{
	use(&u);
	return nullptr;
}

int main()
{
	union number u = { 5 };

	one({});
	one(3);
	two(u, 7);
	second(1.5, 2, { 3, 4 }, { 1, 2, 3, 4 });
	made(u);
	return 0;
}
