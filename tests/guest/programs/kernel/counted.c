/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Touches pages that it has never touched, in its first thread, in another one and in a child, and runs itself once more. */
// cflags: -g -O1 -pthread -Iinclude
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

__attribute__((noinline)) void touch(long pages)
{
	char *place = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	for (long i = 0; i < pages; i++)
		((volatile char *)place)[i * PAGE] = 1;
}

__attribute__((noinline)) void rest(long times)
{
	for (long i = 0; i < times; i++)
		usleep(20000);
	STAP_PROBE1(counted, rested, times);
}

static void *thread(void *unused)
{
	touch(300);
	rest(7);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc > 1) {
		touch(50);
		return 0;
	}
	touch(100);
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	rest(5);
	if (!fork()) {
		touch(200);
		execl(argv[0], argv[0], "again", NULL);
		_exit(1);
	}
	wait(NULL);
	return 0;
}
