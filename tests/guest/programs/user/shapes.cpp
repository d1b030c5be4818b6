/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++: namespaces, classes, overloads, templates, references, inheritance, static members, closures. Not optimised; shapes_fast.cpp is, shapes_bare.cpp has no debuginfo. */
// cflags: -g -O0
#define NOINLINE __attribute__((noinline, noclone, used))

namespace geo {
class Base {
public:
	int id;
	static int made;
	NOINLINE Base(int i) : id(i) { made++; }
	virtual ~Base() {}
	NOINLINE virtual long area(int scale) const { return id * scale; }
};
int Base::made;

template <typename T> class Box : public Base {
public:
	T value;
	Box(int i, T v) : Base(i), value(v) {}
	NOINLINE T grow(T by)
	{
		value += by;
		return value;
	}
	NOINLINE long area(int scale) const override { return (long)value * scale; }
};

namespace inner {
struct Pair {
	int a, b;
	NOINLINE int sum() const { return a + b; }
	NOINLINE static int twice(int n) { return n * 2; }
};
}

NOINLINE int scale(int n) { return n * 10; }
NOINLINE long scale(long n, int by) { return n * by; }
NOINLINE int scale(const inner::Pair &p) { return p.sum(); }
}

namespace {
NOINLINE int hidden(int n) { return n + 1; }
}

template <typename T> NOINLINE T maximum(T a, T b) { return a > b ? a : b; }

struct operators {
	int v;
	NOINLINE int operator()(int n) { return v + n; }
	NOINLINE operators &operator+=(int n)
	{
		v += n;
		return *this;
	}
};

struct Level {
	int low;
};
struct Hidden {
	int number, apart;
	Level level;
	Hidden() : number(11), apart(12) { level.low = 13; }
};
struct Hider : Hidden {
	long number;
	int level;
	union {
		int mine;
		unsigned same;
	};
	Hider() : number(42), level(43), mine(44) {}
};
struct Last : Hider {
	int mine;
	Last() : mine(45) {}
};
NOINLINE long hide(Last *p) { return p->number; }

/* The place of a virtual base is known from the object alone. */
struct Floating : virtual Level {
	int own;
};
NOINLINE int sink(Floating *p) { return p->own; }

int main()
{
	Last last;
	Floating floating;
	geo::Box<int> box(7, 3);
	geo::Box<long> wide(8, 1L << 40);
	geo::Base *base = &box;
	geo::inner::Pair pair = { 1, 2 };
	operators o = { 4 };
	auto closure = [&](int n) NOINLINE { return n + pair.a; };
	long sum = box.grow(2) + (wide.grow(1) >> 40) + base->area(3);

	sum += geo::scale(3) + geo::scale(4L, 5) + geo::scale(pair) + pair.twice(4) + hidden(5);
	o += 2;
	floating.own = 46;
	sum += hide(&last) + sink(&floating) - 88;
	sum += maximum(3, 4) + maximum(5L, 6L) + o(1) + closure(2);
	return sum == 5 + 1 + 15 + 30 + 20 + 3 + 8 + 6 + 4 + 6 + 7 + 3 ? 0 : 1;
}
