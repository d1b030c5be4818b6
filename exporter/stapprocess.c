/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/stapprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

static void __attribute__((noreturn))
become_stap(const char *stap, char *const *argv, int output, const int *kept, pid_t exporter)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != exporter)
		_exit(0); /* the parent was killed before */
	dup2(null, STDIN_FILENO);
	dup2(output < 0 ? null : output, STDOUT_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	if (output >= 0)
		signal(SIGPIPE, SIG_DFL);
	for (; kept && *kept >= 0; kept++)
		fcntl(*kept, F_SETFD, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(stap, argv, environ);
	dprintf(STDERR_FILENO, "stap-exporter: %s: %s\n", stap, strerror(errno));
	_exit(127);
}

pid_t stapprocess_start(const char *stap, char *const *argv, int output, const int *kept)
{
	pid_t exporter = getpid(), pid = fork();

	if (!pid)
		become_stap(stap, argv, output, kept, exporter);
	if (pid > 0)
		setpgid(pid, pid);
	else
		fprintf(stderr, "stap-exporter: fork: %s\n", strerror(errno));
	return pid;
}
