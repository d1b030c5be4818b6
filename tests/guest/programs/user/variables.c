/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of every kind at known places. HERE(a, p->x) is one place: the program says what the expressions are there, "PROGRAM LINE p->x 5" each, */
/* and modules/user/variables.sh probes the line that says so. Other files include this one. */
// cflags: -g -O0 -Wno-unused-but-set-variable
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static NOINLINE void say(int line, const char *what, long long value)
{
	printf("%s %d %s %lld\n", program_invocation_short_name, line, what, value);
}

#define IS_POINTER(e) (__builtin_classify_type(e) == 5)
#define SAY(e)                                                                                     \
	say(__LINE__, #e, (long long)__builtin_choose_expr(IS_POINTER(e), (uintptr_t)(e), (e)));
#define EACH1(e)			     SAY(e)
#define EACH2(e, ...)			     SAY(e) EACH1(__VA_ARGS__)
#define EACH3(e, ...)			     SAY(e) EACH2(__VA_ARGS__)
#define EACH4(e, ...)			     SAY(e) EACH3(__VA_ARGS__)
#define EACH5(e, ...)			     SAY(e) EACH4(__VA_ARGS__)
#define EACH6(e, ...)			     SAY(e) EACH5(__VA_ARGS__)
#define EACH(_1, _2, _3, _4, _5, _6, N, ...) EACH##N
#define HERE(...)                                                                                  \
	__asm__ volatile("nop" ::: "memory");                                                      \
	EACH(__VA_ARGS__, 6, 5, 4, 3, 2, 1)(__VA_ARGS__)

/* For the compiler anything may have happened. */
static NOINLINE void used(const void *what)
{
	__asm__ volatile("" : : "r"(what) : "memory");
}

enum colour { RED = -3, GREEN = 7, BLUE = 1 << 20 };

struct bits {
	unsigned a : 3;
	signed b : 5;
	unsigned c : 17;
	uint64_t d : 41;
};

struct node {
	int x, y;
	struct node *next;
	union {
		long whole;
		struct {
			short low, high;
		};
		unsigned char bytes[8];
	};
	struct {
		int8_t small;
		uint16_t wide[3];
	} in;
	const char *name;
	enum colour colour;
};

typedef struct {
	struct node *head;
	int lengths[4];
	int grid[2][3];
} holder;

struct pair {
	int a, b;
};
struct triple {
	long a, b, c;
};
struct range {
	long low, high;
};

static int counter = 40;
unsigned long long shared = 0x123456789abcdef0ull;
static struct pair pairs[3] = { { 1, -1 }, { 2, -2 }, { 3, -3 } };

NOINLINE long sizes(int8_t c, uint8_t uc, int16_t s, uint16_t us, int32_t i, uint32_t u, int64_t l,
		    uint64_t ul)
{
	HERE(c, uc, s, us)
	HERE(i, u, l, ul)
	return c + uc + s + us + i + u + l + (long)ul;
}

NOINLINE long stack_arguments(long a, long b, long c, long d, long e, long f, long g, int h, char i)
{
	long sum = a + b + c + d + e + f;

	HERE(a, f, g, h, i, sum)
	return sum + g + h + i;
}

NOINLINE int loop(int n)
{
	int total = 0, last = -1;

	for (int i = 0; i < n; i++) {
		int square = i * i;

		total += square;
		HERE(i, square, total, last, n)
		last = square;
		{
			int i = total * 2; /* another one */

			HERE(i, total, last)
			counter += i & 1;
		}
	}
	HERE(total, last, counter)
	return total;
}

NOINLINE long pointers(struct node *p, struct node **pp, holder *h, int i)
{
	HERE(p, p->x, p->y, p->next->x, p->next->next->y, p->next->next->next)
	HERE(p->whole, p->low, p->high, p->bytes[0], p->bytes[i], p->next->bytes[2])
	HERE(p->in.small, p->in.wide[0], p->in.wide[i], p->colour, p->next->colour)
	/* modules/user/variables.sh reads a place from one line. */
	/* clang-format off */
	HERE(pp[0]->x, pp[1]->y, pp[i]->next, h->head->next->in.wide[1], h->lengths[i], h->grid[1][i])
	/* clang-format on */
	HERE(&p->y, &p->next->in, &h->lengths[2], &h->grid[1][1], p->name, p->name[1])
	return p->x + pp[1]->x + h->lengths[0];
}

NOINLINE long locals(int n)
{
	struct node last = { -n, n * 7, NULL, { 0 }, { 0 }, "last", RED };
	struct node one = {
		n,     n + 1, &last, { 0x11223344556677L * n }, { -n, { n, n * 2, n * 3 } },
		"one", GREEN
	};
	struct node two = { n * 10, n * 11, &one, { -1 }, { 1, { 65535, 0, 1 } }, "two", RED };
	holder h = { &two, { n, n + 1, n + 2, n + 3 }, { { 1, 2, 3 }, { 4, 5, n } } };
	struct bits b = { 5, -7, 100000, 0x123456789a };
	struct node *list[3] = { &one, &two, &last };
	enum colour colour = n > 2 ? BLUE : RED;
	char text[16] = "abcdef";
	long result = pointers(&two, list, &h, n - 1);

	HERE(one.x, one.y, one.next, one.whole, one.low, one.in.small)
	HERE(two.in.wide[0], two.next->y, two.colour, h.lengths[2], h.grid[1][2], h.head->next->x)
	HERE(b.a, b.b, b.c, b.d, colour, result)
	HERE(text[0], text[n], list[1]->x, list[0]->in.wide[2], &two.next, &h.grid[1])
	return result + b.a + colour + text[1] + (list[0] == &one);
}

NOINLINE long globals(int n)
{
	counter += n;
	pairs[1].a += n;
	HERE(counter, shared, pairs[0].b, pairs[n].a, pairs[2].b, n)
	return counter + pairs[1].a;
}

/* Held in parts: two registers; and in none, but known by what it points to. */
NOINLINE long pieces(long a, long b)
{
	struct pair small = { (int)a + 1, (int)b - 1 };
	struct pair *at = &small;
	struct triple sum = { a, b, a + b };

	HERE(small.a, small.b, at->a, at->b, a, b)
	HERE(sum.a, sum.c)
	return small.a * small.b + at->a + sum.c;
}

/* Arguments are still known when their registers are used otherwise. */
NOINLINE long entry(long first, struct pair *second)
{
	long kept = first * 3 + second->a;

	used(NULL);
	HERE(kept, first)
	return kept;
}

static inline __attribute__((always_inline)) int inlined(int value, const struct pair *from)
{
	int twice = value * 2 + from->a;

	HERE(value, twice, from->b)
	return twice;
}

NOINLINE long calls_inlined(int n)
{
	long sum = inlined(n, &pairs[0]) + inlined(n + 100, &pairs[2]);

	HERE(sum, n)
	return sum;
}

NOINLINE struct pair swapped(struct pair p)
{
	return (struct pair){ p.b, p.a };
}
NOINLINE struct triple times(struct triple t, long n)
{
	return (struct triple){ t.a * n, t.b * n, t.c * n };
}
NOINLINE struct range turned(struct range r)
{
	return (struct range){ r.high, r.low };
}
NOINLINE struct node *moved(struct node *p, int by)
{
	p->x += by;
	return p;
}
NOINLINE int8_t narrow(int n)
{
	return (int8_t)n;
}

int main(void)
{
	struct node n = { .x = 3, .y = 4 };
	long sum = sizes(-1, 255, -300, 65000, -70000, 4000000000u, -5000000000l,
			 18000000000000000000ul);

	sum += stack_arguments(1, -2, 3, -4, 5, -6, 7, -8, 9) + loop(3) + locals(3) + locals(2) +
	       globals(1) + pieces(20, -30);
	sum += entry(17, &pairs[0]) + calls_inlined(4);
	sum += swapped((struct pair){ 5, -6 }).a + times((struct triple){ 1, 2, 3 }, 4).c +
	       moved(&n, 10)->y + narrow(200) + turned((struct range){ -7, -70 }).low;
	return sum == 0x7fffffff;
}
