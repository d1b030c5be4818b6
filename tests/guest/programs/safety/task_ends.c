/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_ends ROUNDS: processes begin by vfork() and fork(), with threads that sleep in a
 * read. They end by exit_group(), by executing a program, by SIGKILL, and after a signal's
 * handler and a stop; one is traced meanwhile. Prints "done".
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6 };

static int ready[2], never[2];
static volatile sig_atomic_t handled;

static void failed(const char *what)
{
	perror(what);
	_exit(1);
}

static void *reads(void *data)
{
	char c = 0;

	if (write(ready[1], &c, 1) != 1)
		failed("write");
	while (read(never[0], &c, 1) < 0)
		;
	return data;
}

static void handle(int signal)
{
	handled = 1;
}

static void execute_true(void)
{
	execl("/bin/true", "true", (char *)NULL);
	failed("execl");
}

static void wait_ready(int n)
{
	char c;

	while (n--)
		if (read(ready[0], &c, 1) != 1)
			failed("read");
}

/* The child; its way to end is one of four. */
static void threads_end(int way)
{
	pthread_t threads[THREADS];

	signal(SIGUSR1, handle);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, reads, NULL))
			failed("pthread_create");
	wait_ready(THREADS);
	if (way == 0)
		_exit(0);
	if (way == 1)
		execute_true();
	if (way == 2)
		kill(getpid(), SIGKILL);
	for (int i = 0; i < THREADS; i++)
		pthread_kill(threads[i], SIGUSR1);
	while (!handled)
		usleep(100);
	raise(SIGSTOP);
	_exit(0);
}

static void traced_ends(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGUSR2);
	execute_true();
}

/* Continues the child at each stop until it has ended. */
static void child_wait(pid_t child, int is_traced)
{
	int status;

	while (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status))
		if (is_traced)
			ptrace(PTRACE_CONT, child, NULL, NULL);
		else
			kill(child, SIGCONT);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	if (pipe(ready) || pipe(never))
		failed("pipe");
	for (int i = 0; i < rounds; i++) {
		pid_t child = vfork();

		if (!child)
			execute_true();
		child_wait(child, 0);
		child = fork();
		if (!child)
			threads_end(i % 4);
		child_wait(child, 0);
		child = fork();
		if (!child)
			traced_ends();
		child_wait(child, 1);
	}
	puts("done");
	return 0;
}
