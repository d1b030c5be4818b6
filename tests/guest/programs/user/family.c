/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes, threads and execs that are known by number:
 *
 *   family all       14 begin and 14 end as this program (1 itself, 3 by fork, 2 by vfork, 1 + 3 that exec it three times, 1 that execs true, 1 whose
 *                    first thread leaves first, 1 + 1 whose second thread execs it); 6 threads begin, and 5 end: one becomes a process's first
 *   family calls     system calls of known arguments between two getppid(); 32-bit ones as well
 *   family hop N     execs itself N times
 *   family burst N   N children, one after another
 *   family sleep     until killed, with a second thread; family spin: alone, without a system call
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void exec_self(int hops)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", hops);
	execl("/proc/self/exe", "family", "hop", number, (char *)NULL);
	_exit(1);
}

static void wait_all(void)
{
	int status;

	while (wait(&status) > 0)
		if (status)
			exit(1);
}

static void *thread(void *how)
{
	usleep(how ? 20000 : 1000);
	if (how && !strcmp(how, "exec"))
		exec_self(0);
	return NULL;
}

static void *sleeper(void *unused)
{
	pause();
	return unused;
}

static void threads(int n)
{
	pthread_t t[4];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void thread_outlives(const char *how)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, (void *)how);
	if (!strcmp(how, "exec"))
		pause();
	pthread_exit(NULL);
}

static void all(void)
{
	for (int i = 0; i < 3; i++)
		if (!fork())
			_exit(0);
	for (int i = 0; i < 2; i++)
		if (!vfork())
			_exit(0);
	wait_all();
	threads(4);
	if (!fork())
		exec_self(2);
	if (!fork())
		execl("/bin/true", "true", (char *)NULL);
	if (!fork())
		thread_outlives("leave");
	if (!fork())
		thread_outlives("exec");
	wait_all();
}

static void calls(void)
{
#ifndef __aarch64__
	long number = 19; /* lseek of 32-bit programs */
#endif

	syscall(SYS_getppid);
	syscall(SYS_dup, 99, 0, 0);
	syscall(SYS_lseek, 77, -2L, 3);
	syscall(12345, 1, 2, 3, 4, 5, -6L);
#ifndef __aarch64__
	__asm__ volatile("int $0x80"
			 : "+a"(number)
			 : "b"(77), "c"(-2), "d"(3)
			 : "memory", "r8", "r9", "r10", "r11");
#endif
	syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t t;

	if (!strcmp(what, "all"))
		all();
	else if (!strcmp(what, "calls"))
		calls();
	else if (!strcmp(what, "hop") && n)
		exec_self(n - 1);
	else if (!strcmp(what, "sleep") && !pthread_create(&t, NULL, sleeper, NULL))
		pause();
	for (volatile int forever = 1; !strcmp(what, "spin") && forever;)
		;
	for (int i = 0; !strcmp(what, "burst") && i < n; i++) {
		if (!fork())
			_exit(0);
		wait_all();
	}
	return 0;
}
