/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target [COPIES]: one of each that can be probed without a path being written: a marker, a thread, a slot, a system call, memory. Runs itself again COPIES times. */
// cflags: -g -O1 -Iinclude
#include <pthread.h>
#include <stdlib.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;

__attribute__((noinline)) int work(int n)
{
	sum += n;
	DTRACE_PROBE1(target, worked, sum);
	return sum;
}

static void *thread(void *arg)
{
	work(2);
	return arg;
}

int main(int argc, char **argv)
{
	char text[2] = { argc > 1 ? (char)(argv[1][0] - 1) : '0', 0 };
	void *volatile memory = malloc(1234);
	pthread_t t;

	if (!pthread_create(&t, NULL, thread, NULL))
		pthread_join(t, NULL);
	work(getppid() > 0);
	free(memory);
	if (argc > 1 && text[0] >= '0' && !fork())
		execl(argv[0], argv[0], text[0] > '0' ? text : NULL, NULL);
	wait(NULL);
	return sum != 3;
}
