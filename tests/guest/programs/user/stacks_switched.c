/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two coroutines take turns in the middle of work(). */
// cflags: -g
#include <stdlib.h>
#include <ucontext.h>

#define STACK 65536

static ucontext_t first, others[2];

__attribute__((noinline)) int work(int n)
{
	if (n > 0)
		swapcontext(&others[n - 1], &first);
	return n;
}

static void body(int n)
{
	for (;;)
		work(n);
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&others[i]);
		others[i].uc_stack.ss_sp = malloc(STACK);
		others[i].uc_stack.ss_size = STACK;
		makecontext(&others[i], (void (*)(void))body, 1, i + 1);
	}
	for (int i = 0; i < 100; i++) {
		swapcontext(&first, &others[0]);
		swapcontext(&first, &others[1]);
		work(0);
	}
	return 0;
}
