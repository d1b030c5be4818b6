/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See daemon.h. */
#include "staprun/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun/attach.h"
#include "staprun/report.h"

/*
 * Passes signals on to the daemon: a user who ends this process before the script runs
 * wants to end the daemon, which gets no signals from a terminal.
 */
static void pass_signals(pid_t daemon, int ready, const sigset_t *caught)
{
	struct pollfd p[] = { { .fd = ready, .events = POLLIN },
			      { .fd = signalfd(-1, caught, SFD_CLOEXEC), .events = POLLIN } };
	struct signalfd_siginfo info;

	while (!p[0].revents) {
		if (poll(p, 2, -1) > 0 && p[1].revents &&
		    read(p[1].fd, &info, sizeof(info)) == sizeof(info) && info.ssi_signo != SIGCHLD)
			kill(daemon, (int)info.ssi_signo);
	}
}

static void __attribute__((noreturn))
wait_ready(pid_t daemon, int ready, const sigset_t *caught, const char *left)
{
	int status;
	char byte;

	pass_signals(daemon, ready, caught);
	if (read(ready, &byte, 1) == 1) {
		if (left) {
			attach_say(left);
			_exit(0);
		}
		if (dprintf(STDOUT_FILENO, "%d\n", (int)daemon) > 0)
			_exit(0);
		report_error("writing the process's number, %d, to stdout: %s", (int)daemon,
			     strerror(errno));
		_exit(1);
	}
	while (waitpid(daemon, &status, 0) < 0 && errno == EINTR)
		;
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

bool daemon_start(int *ready, const sigset_t *caught, const char *left)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		report_error("pipe: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid > 0) {
		close(fds[1]);
		wait_ready(pid, fds[0], caught, left);
	}
	close(fds[0]);
	*ready = fds[1];
	if (pid == 0 && setsid() > 0)
		return true;
	report_error("going to the background: %s", strerror(errno));
	return false;
}

void daemon_detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	report_to_log();
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}
