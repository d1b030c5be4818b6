/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See daemon.h. */
#define _GNU_SOURCE /* pipe2 */
#include "staprun/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun/say.h"

static void __attribute__((noreturn)) wait_ready(pid_t daemon, int ready)
{
	int status;
	char byte;

	if (read(ready, &byte, 1) == 1) {
		dprintf(STDOUT_FILENO, "%d\n", (int)daemon);
		_exit(0);
	}
	while (waitpid(daemon, &status, 0) < 0 && errno == EINTR)
		;
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

bool daemon_start(int *ready)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		say_error("pipe: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid > 0) {
		close(fds[1]);
		wait_ready(pid, fds[0]);
	}
	close(fds[0]);
	*ready = fds[1];
	if (pid == 0 && setsid() > 0)
		return true;
	say_error("going to the background: %s", strerror(errno));
	return false;
}

void daemon_detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	say_to_log();
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}
