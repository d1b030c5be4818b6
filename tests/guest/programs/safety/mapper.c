/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mapper CALLS: while one thread maps and unmaps memory, the first makes CALLS calls of looked_at(), in the
 * depth of 20 others. */
// cflags: -fno-optimize-sibling-calls
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static volatile int ended;

static void *map(void *arg)
{
	while (!ended)
		munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
	return arg;
}

__attribute__((noinline)) int looked_at(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) static int deep(int n)
{
	return (n > 0 ? deep(n - 1) : looked_at(n)) + 1;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int sum = 0;

	pthread_create(&thread, NULL, map, NULL);
	for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; i--)
		sum += deep(20);
	ended = 1;
	pthread_join(thread, NULL);
	return sum == 0;
}
