/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments that a function has forgotten: callers that are known by their code, and one that calls by a pointer. */
// cflags: -g -O2 -fno-ipa-sra
static volatile int sink;

__attribute__((noinline, noipa)) void use(long x)
{
	sink = x;
	asm volatile("" ::: "memory");
}

__attribute__((noinline)) int forgets(int n, long k)
{
	use(n + k);
	sink++;
	use(5);
	sink += 2;
	return sink;
}

__attribute__((noinline, noipa)) int knows(int a)
{
	int r;

	use(a);
	r = forgets(a + 4, 77);
	r += forgets(9, a * 3L);
	return r + forgets(a, -1) + a;
}

__attribute__((noinline, noipa)) int points(int a, int (*f)(int, long))
{
	return f(a + 1, a) + 1;
}

struct small {
	char name[4];
	short a, b;
};

/* The compiler keeps what it knows of these in pieces. */
__attribute__((noinline, noipa)) int scatters(int a, struct small s)
{
	struct {
		char text[8];
		int number;
		struct small *next;
	} q;
	char name[4];

	name[0] = a + 1;
	name[1] = a + 2;
	name[2] = s.name[0];
	name[3] = 0;
	q.text[0] = 'x';
	q.text[1] = s.name[1];
	q.text[2] = 0;
	q.number = a;
	q.next = &s;
	use(a);
	use(name[0] + name[1]);
	use(name[2] * s.name[0]);
	return q.number + q.text[0] + q.text[1] + s.a + q.next->b;
}

int main(int argc, char **argv)
{
	struct small s = { "rst", argc, -2 };

	if (!scatters(argc + 64, s))
		return 1;
	return knows(argc) + points(argc + 2, forgets) < 0;
}
