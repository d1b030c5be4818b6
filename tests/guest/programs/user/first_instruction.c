/* SPDX-License-Identifier: GPL-2.0-or-later */
// arch: x86_64
// cflags: -g -O1 -fcf-protection=none
/*
 * Calls functions that begin with each kind of instruction that a probe's handler may
 * perform, and checks what they return. With an argument, it prints the nanoseconds that
 * a call of each takes, that many times.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef unsigned long call(unsigned long, unsigned long);

#define FUNCTION(name, code)                                                                       \
	call name;                                                                                 \
	__asm__(".text\n\t.balign 16\n\t.globl " #name "\n\t.type " #name ", @function\n" #name    \
		":\n\t" code "\n\tret\n\t.size " #name ", . - " #name)
/* CF, PF, ZF, SF and OF. */
#define FLAGS "pushfq; pop %rax; and $0x8c5, %eax"

FUNCTION(at_push, "push %rdi; pop %rax");
FUNCTION(at_mov, "mov %rdi, %rax; add %rsi, %rax");
FUNCTION(at_mov32, "mov %edi, %eax");
FUNCTION(at_constant, "mov $-5, %rax; add %rdi, %rax");
FUNCTION(at_load, "mov 8(%rdi), %rax");
FUNCTION(at_extend, "movsbq (%rdi), %rax");
FUNCTION(at_lea, "lea 3(%rdi,%rsi,4), %rax");
FUNCTION(at_here, "lea at_here(%rip), %rax; sub %rdi, %rax");
FUNCTION(at_sub, "sub $24, %rsp; mov %rdi, 8(%rsp); mov 8(%rsp), %rax; add $24, %rsp");
FUNCTION(at_subtract, "sub %rsi, %rdi; " FLAGS);
FUNCTION(at_add, "add %rsi, %rdi; " FLAGS);
FUNCTION(at_and, "and %rsi, %rdi; " FLAGS);
FUNCTION(at_test, "test %edi, %esi; " FLAGS);
FUNCTION(at_cmp, "cmp %rsi, %rdi; " FLAGS);
FUNCTION(at_xor, "xor %edi, %edi; mov %rdi, %rax; setz %al");
FUNCTION(at_endbr, "endbr64; lea (%rdi,%rdi), %rax");

/* The same after another first instruction, at which nothing stands. */
FUNCTION(flags_subtract, "nop; sub %rsi, %rdi; " FLAGS);
FUNCTION(flags_add, "nop; add %rsi, %rdi; " FLAGS);
FUNCTION(flags_and, "nop; and %rsi, %rdi; " FLAGS);
FUNCTION(flags_test, "nop; test %edi, %esi; " FLAGS);

static unsigned long wrong;

static void compare(const char *what, unsigned long got, unsigned long wanted)
{
	if (got != wanted && wrong++ < 5)
		printf("%s: %lx, not %lx\n", what, got, wanted);
}

static void check(unsigned long a, unsigned long b)
{
	compare("push", at_push(a, b), a);
	compare("mov", at_mov(a, b), a + b);
	compare("mov32", at_mov32(a, b), (unsigned int)a);
	compare("constant", at_constant(a, b), a - 5);
	compare("lea", at_lea(a, b), a + 4 * b + 3);
	compare("here", at_here(a, b), (unsigned long)at_here - a);
	compare("sub", at_sub(a, b), a);
	compare("subtract", at_subtract(a, b), flags_subtract(a, b));
	compare("add", at_add(a, b), flags_add(a, b));
	compare("and", at_and(a, b), flags_and(a, b));
	compare("test", at_test(a, b), flags_test(a, b));
	compare("cmp", at_cmp(a, b), flags_subtract(a, b));
	compare("xor", at_xor(a, b), 1);
	compare("endbr", at_endbr(a, b), 2 * a);
}

/* The second page is read for the first time by the function. */
static void check_loads(unsigned long n)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(1);
	compare("load", at_load((unsigned long)(pages + 4096), 0), 0);
	memcpy(pages + 8, &n, sizeof(n));
	pages[0] = (char)n;
	compare("load", at_load((unsigned long)pages, 0), n);
	compare("extend", at_extend((unsigned long)pages, 0), (unsigned long)(long)(signed char)n);
	munmap(pages, 8192);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define TIME(function, a)                                                                          \
	do {                                                                                       \
		double begin = now();                                                              \
                                                                                                   \
		for (unsigned long i = 0; i < times; i++)                                          \
			function(a, 1);                                                            \
		printf("%s %.0f\n", #function, (now() - begin) / (double)times);                   \
	} while (0)

static void show_times(unsigned long times)
{
	static unsigned long words[2];

	TIME(at_push, 1);
	TIME(at_mov, 1);
	TIME(at_load, (unsigned long)words);
	TIME(at_lea, 1);
	TIME(at_sub, 1);
	TIME(at_test, 1);
	TIME(at_endbr, 1);
}

int main(int argc, char **argv)
{
	static const unsigned long values[] = { 0,	    1,		0x7f,	   0x7fffffff,
						0x80000000, 0xffffffff, 1ul << 63, ~0ul };

	if (argc > 1) {
		show_times(strtoul(argv[1], NULL, 0));
		return 0;
	}
	for (int i = 0; i < 64; i++)
		check(values[i / 8], values[i % 8]);
	for (unsigned long i = 0; i < 32; i++)
		check_loads(i * 0x0123456789abcdfful);
	printf("%lu wrong\n", wrong);
	return wrong != 0;
}
