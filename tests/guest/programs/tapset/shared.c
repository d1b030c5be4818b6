/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes to pages that are shared: 10 times to the page of zeros, 7 times to pages that a child has as well. */
// cflags: -O1
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, ZERO = 10, OWN = 7 };

static void touch(volatile char *memory, int from, int n)
{
	for (int i = from; i < from + n; i++)
		memory[i * PAGE]++;
}

int main(void)
{
	volatile char *memory = mmap(NULL, (ZERO + OWN) * PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int end[2], sum = 0;

	madvise((void *)memory, (ZERO + OWN) * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < ZERO; i++)
		sum += memory[i * PAGE];
	touch(memory, 0, ZERO + OWN);
	if (pipe(end))
		return 1;
	if (!fork()) { /* has them until it is told to go */
		char byte;

		close(end[1]);
		_exit(read(end[0], &byte, 1) != 0);
	}
	touch(memory, ZERO, OWN);
	close(end[1]);
	wait(NULL);
	return sum;
}
