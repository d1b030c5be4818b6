/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls a function 2,000 times while a second thread changes what the process has mapped. */
// cflags: -g -O1 -pthread
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CALLS 2000
#define SIZE  (1 << 20)

static atomic_int done;

static void *change(void *arg)
{
	void *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	(void)arg;
	while (!atomic_load(&done)) {
		if (mprotect(at, SIZE, PROT_READ) || mprotect(at, SIZE, PROT_READ | PROT_WRITE))
			exit(1);
	}
	return NULL;
}

__attribute__((noinline)) int called(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) int calls(int n)
{
	return called(n) + 1;
}

int main(void)
{
	pthread_t changing;
	int n = 0;

	if (pthread_create(&changing, NULL, change, NULL))
		return 1;
	for (int i = 0; i < CALLS; i++)
		n = calls(n);
	atomic_store(&done, 1);
	return pthread_join(changing, NULL) || n != 2 * CALLS;
}
