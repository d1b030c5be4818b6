// cflags: -g
/* 3000 tasks, 200 of them processes, end inside work(), 100 become another program there, 200 calls return. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int __attribute__((noinline)) work(int n, char **argv)
{
	if (n > 100)
		syscall(SYS_exit, 0);
	if (n > 0) {
		char next[16];

		sprintf(next, "%d", n - 1);
		execl("/proc/self/exe", argv[0], next, NULL);
		_exit(1);
	}
	return -n;
}

static void *thread(void *argv)
{
	work(1000, argv);
	return NULL;
}

static int run_thread(char **argv)
{
	pthread_t id;

	return pthread_create(&id, NULL, thread, argv) || pthread_join(id, NULL);
}

static int run_process(int n, char **argv)
{
	int status;

	if (!fork())
		work(n, argv);
	wait(&status);
	return status;
}

int main(int argc, char **argv)
{
	int sum = 0, bad = 0;

	if (argc > 1)
		return atoi(argv[1]) > 0 ? work(atoi(argv[1]), argv) : 0;
	for (int i = 0; i < 2800; i++)
		bad |= run_thread(argv);
	for (int i = 0; i < 200; i++)
		bad |= run_process(1000, argv);
	bad |= run_process(100, argv);
	for (int i = 1; i <= 200; i++)
		sum += work(-i, argv);
	printf("%d\n", sum);
	return bad;
}
