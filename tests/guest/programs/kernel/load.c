/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load CALLS [THREADS]: each thread, bound to a CPU of its own, makes CALLS getppid() system calls and CALLS one-byte reads of
 * /dev/zero. Nothing else of it calls read while they run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static void *work(void *arg)
{
	cpu_set_t set;
	char byte;
	int fd = open("/dev/zero", O_RDONLY);

	CPU_ZERO(&set);
	CPU_SET((long)arg, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = 0; i < calls; i++) {
		syscall(SYS_getppid);
		if (read(fd, &byte, 1) != 1)
			abort();
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	long n = argc > 2 ? atol(argv[2]) : 1;

	calls = argc > 1 ? atol(argv[1]) : 1000;
	for (long i = 0; i < n && i < 64; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (long i = 0; i < n && i < 64; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
