/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O2 -fcf-protection
// arch: x86_64
/* Functions that begin with a landing pad, each called six times. */
#include <stdio.h>

#define FUNCTION(name, code)                                                                       \
	long name(long n);                                                                         \
	__asm__(".text\n\t.balign 16\n\t.globl " #name "\n\t.type " #name ",@function\n" #name     \
		":\n\tendbr64\n\t" code "\n\t.size " #name ",.-" #name)

FUNCTION(pushes, "push %rbx\n\tlea 1(%rdi),%rax\n\tpop %rbx\n\tret");
FUNCTION(loops, "push %rdi\n\tpop %rax\n\tdec %rdi\n\tjg loops+4\n\tret");
FUNCTION(loops_far, "push %rdi\n\tpop %rax\n\tdec %rdi\n\tjg 1f\n\tret\n\t.fill 200, 1, "
		    "0x90\n1:\tjmp loops_far+4");
FUNCTION(subtracts, "sub $8,%rsp\n\tmov %rdi,%rax\n\tadd $8,%rsp\n\tret");
FUNCTION(padded,
	 "push %rbx\n\tmov %rdi,%rax\n\tpop %rbx\n\tret\n\t.byte 6, 6"); /* no instruction */
FUNCTION(patchable, "nop\n\tnop\n\tmov %rdi,%rax\n\tret");
FUNCTION(calls, "call 1f\n1:\tpop %rax\n\tmov %rdi,%rax\n\tret");
FUNCTION(nops, ".byte 0x0f, 0x1f, 0x44, 0, 0\n\tmov %rdi,%rax\n\tret");

/* A function as the compiler makes it: push behind the pad. */
__attribute__((noinline, noclone)) long compiled(long n, const char *text)
{
	long sum = n;

	for (const char *c = text; *c; c++)
		sum += printf("%c", *c);
	return sum;
}

/* Unoptimised: parameters are on the stack behind the first instructions. */
__attribute__((noinline, noclone, optimize("O0"))) long unoptimised(long n)
{
	return n + 1;
}

/* Calls pushes() behind its pad, where linkers may let direct calls lead. */
static long call_behind(long n)
{
	long ret;

	__asm__ volatile("sub $128,%%rsp\n\tcall pushes+4\n\tadd $128,%%rsp"
			 : "=a"(ret), "+D"(n)
			 :
			 : "memory", "cc");
	return ret;
}

int main(void)
{
	long sum = 0;

	for (long n = 1; n <= 6; n++) {
		sum += n % 2 ? pushes(n) : call_behind(n);
		sum += loops(5) + loops_far(5) + subtracts(n) + padded(n) + patchable(n) +
		       calls(n) + nops(n);
		sum += compiled(n, "ab") + unoptimised(n);
	}
	printf(" %ld\n", sum);
	return 0;
}
