/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O0 -std=c++17
/* Small structures and classes as results: in integer registers, in those of floating-point numbers, in both, in memory. */
#define NOINLINE __attribute__((noinline))

struct doubles {
	double x, y;
};
struct number_first {
	long n;
	double d;
};
struct double_first {
	double d;
	long n;
};
struct floats {
	float a, b;
};
struct three {
	float a, b, c;
};
struct nested {
	floats p;
	double q;
};
struct integers {
	int a, b, c;
};
struct destroyed {
	int a;
	~destroyed() {}
};
struct copied {
	int a;
	copied(int n) : a(n) {}
	copied(const copied &o) : a(o.a) {}
};
struct pinned {
	int a;
	pinned(int n) : a(n) {}
	pinned(const pinned &) = delete;
};
struct moved {
	int a;
	moved(int n) : a(n) {}
	moved(const moved &) = delete;
	moved(moved &&) = default;
};
struct holder {
	int a;
	copied c;
};
struct plain {
	int a;
	plain(int n) : a(n) {}
	plain(const plain &) = default;
	~plain() = default;
	int get() const { return a; }
};

NOINLINE doubles get_doubles(int n) { return { n * 1.5, n * 2.5 }; }
NOINLINE number_first get_number_first(int n) { return { n, n * 2.5 }; }
NOINLINE double_first get_double_first(int n) { return { n * 1.5, n }; }
NOINLINE floats get_floats(int n) { return { n * 1.5f, n * 2.5f }; }
NOINLINE three get_three(int n) { return { n * 1.5f, n * 2.5f, n * 3.5f }; }
NOINLINE nested get_nested(int n, doubles v) { return { { n * 1.5f, n * 2.5f }, v.x }; }
NOINLINE integers get_integers(int n, integers v) { return { n, 2 * n, v.c }; }
NOINLINE destroyed get_destroyed(int n) { return destroyed{ n }; }
NOINLINE copied get_copied(int n) { return copied(n); }
NOINLINE holder get_holder(int n) { return holder{ n, copied(n + 1) }; }
NOINLINE pinned get_pinned(int n) { return pinned(n); }
NOINLINE moved get_moved(int n) { return moved(n); }
NOINLINE plain get_plain(int n) { return plain(n); }

int main(int argc, char **)
{
	int n = argc + 1;

	get_doubles(n);
	get_number_first(n);
	get_double_first(n);
	get_floats(n);
	get_three(n);
	get_nested(n, { 7.5, 8.5 });
	get_integers(n, { 1, 2, 3 });
	get_destroyed(n);
	get_copied(n);
	get_holder(n);
	get_pinned(n);
	get_moved(n);
	return get_plain(n).get() != n;
}
