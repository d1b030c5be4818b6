/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions differ in how wide their parameters are, where these lie, and in what they return. */
// cflags: -g -O2
#define APART __attribute__((noinline, noipa))

struct near {
	int before, value;
};
struct far {
	char before[300];
	short value;
};
struct bits {
	unsigned before : 5;
	signed value : 7;
};
struct wide {
	char before[70000];
	unsigned long value;
};

APART signed char w_char(signed char a)
{
	return a - 1;
}
APART unsigned char w_byte(unsigned char a)
{
	return a + 1;
}
APART short w_short(short a, unsigned short b)
{
	return a + b;
}
APART unsigned w_word(unsigned a, int b)
{
	return a + b;
}
APART long w_long(long a, char b, long c)
{
	return a + b + c;
}
APART int w_four(int a, short b, long c, unsigned char d)
{
	return a + b + c + d;
}
APART long w_seven(int a, int b, int c, int d, int e, int f, short g)
{
	return a + b + c + d + e + f + g;
}
APART long w_eight(int a, int b, int c, int d, int e, int f, signed char g, long h)
{
	return a + b + c + d + e + f + g + h;
}
APART void w_none(void)
{
	__asm__ volatile("");
}
APART long m_near(struct near *p)
{
	return p->value;
}
APART long m_far(int n, struct far *p)
{
	return n + p->value;
}
APART long m_bits(struct bits *p)
{
	return p->value;
}
APART long m_wide(int n, int k, struct wide *p)
{
	return n + k + p->value;
}

int main(void)
{
	static struct wide wide = { .value = 0x123456789 };
	struct near near = { 1, -2 };
	struct far far = { .value = -3 };
	struct bits bits = { 1, -4 };

	w_char(-5);
	w_byte(255);
	w_short(-7, 65000);
	w_word(4000000000u, -1);
	w_long(-1, 'x', 1L << 40);
	w_four(-1, -2, -3, 200);
	w_seven(1, 2, 3, 4, 5, 6, -7);
	w_eight(1, 2, 3, 4, 5, 6, -8, 1L << 33);
	w_none();
	m_near(&near);
	m_far(0, &far);
	m_bits(&bits);
	m_wide(0, 0, &wide);
	return 0;
}
