/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of every kind, without frame pointers: through the C library's qsort(), through a signal's handler, deep, on a rounded stack pointer, through code that is in no file.
 */
// cflags: -O2 -g0 -fomit-frame-pointer
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

volatile int sink;

NOINLINE void leaf(int n)
{
	sink += n;
	asm volatile("" ::: "memory");
}

NOINLINE static int compare(const void *a, const void *b)
{
	leaf(1);
	return *(const int *)a - *(const int *)b + sink * 0;
}

NOINLINE void sorts(void)
{
	int numbers[2] = { 2, 1 };

	qsort(numbers, 2, sizeof(numbers[0]), compare);
	sink += numbers[0];
}

NOINLINE static void on_signal(int sig)
{
	leaf(2);
	sink++;
}

NOINLINE void signals(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	sink++;
}

NOINLINE int deep(int n)
{
	if (!n)
		leaf(3);
	else
		sink += deep(n - 1);
	return sink + n;
}

/* The stack pointer is rounded down: the frame is found through another register. */
NOINLINE int aligned(int n)
{
	char big[64] __attribute__((aligned(64)));
	char *some = __builtin_alloca((size_t)n * 16 + 16);

	memset(big, n, sizeof(big));
	memset(some, n, 16);
	leaf(4);
	asm volatile("" ::"r"(big), "r"(some) : "memory");
	return big[n] + some[n];
}

/* A stack of its own for the handler, below or above the other one. */
NOINLINE void other_stack(void)
{
	static char memory[65536];
	stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	sink++;
}

/* A clock that the vdso leaves to the kernel: its system call is made there. */
NOINLINE void clocks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	sink += (int)t.tv_nsec;
}

NOINLINE void made_leaf(void)
{
	leaf(5);
	sink++;
}

/* Code that nobody describes: it keeps a frame pointer. Then it is gone. */
NOINLINE void made(void)
{
#ifdef __aarch64__
	/* stp x29,x30,[sp,#-16]!; mov x29,sp; blr x0; ldp x29,x30,[sp],#16; ret */
	static const unsigned int code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd,
					     0xd65f03c0 };
#else
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3
	}; /* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
#endif
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, code, sizeof(code));
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	((void (*)(void (*)(void)))page)(made_leaf);
	munmap(page, 4096);
	leaf(6);
	sink++;
}

/* Without a table, and its frame pointer leads to a pair of addresses of the stack: no caller. */
void astray(void);
__asm__(".text\n.globl astray\n.type astray, @function\nastray:\n"
#ifdef __aarch64__
	"sub sp, sp, #48\nstp x29, x30, [sp, #32]\nmov x9, sp\nstp x9, x9, [sp]\nmov x29, sp\n"
	"mov w0, #7\nbl leaf\nldp x29, x30, [sp, #32]\nadd sp, sp, #48\nret\n"
#else
	"push %rbp\nsub $16, %rsp\nmov %rsp, (%rsp)\nmov %rsp, 8(%rsp)\nmov %rsp, %rbp\n"
	"mov $7, %edi\ncall leaf\nadd $16, %rsp\npop %rbp\nret\n"
#endif
	".size astray, . - astray");

int main(void)
{
	sorts();
	signals();
	deep(5);
	deep(200);
	sink += aligned(3);
	other_stack();
	made();
	astray();
	clocks();
	printf("%d\n", sink > 0);
	return 0;
}
