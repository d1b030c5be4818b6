/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sinkpipe.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ */
#endif
#include "user/sinkpipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/streams.h"

#define SINKPIPE_BYTES (1 << 20)

static void sinkpipe_become(const char *program, const char *to, int from, int out)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (dup2(from, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		;
	else if (to)
		execl(program, "stap-merge", "-w", "--to", to, "-", (char *)NULL);
	else
		execl(program, "stap-merge", "-w", "--json", "-", (char *)NULL);
	fprintf(stderr, "ERROR: %s: %s\n", program, strerror(errno));
	_exit(127);
}

int sinkpipe_start(struct sinkpipe *s, const char *program, const char *to, int out)
{
	int fds[2];

	*s = (struct sinkpipe){ .fd = -1 };
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	fcntl(fds[1], F_SETPIPE_SZ, SINKPIPE_BYTES); // as it is otherwise
	s->pid = fork();
	if (s->pid == 0)
		sinkpipe_become(program, to, fds[0], out);
	close(fds[0]);
	if (s->pid > 0)
		s->fd = fds[1];
	else
		close(fds[1]);
	return s->pid < 0 ? -errno : 0;
}

bool sinkpipe_reaped(struct sinkpipe *s, pid_t pid, int status)
{
	if (!s->pid || pid != s->pid)
		return false;
	s->ended = true;
	s->status = status;
	return true;
}

bool sinkpipe_finish(struct sinkpipe *s)
{
	while (!s->ended) {
		pid_t pid = waitpid(s->pid, &s->status, 0);

		s->ended = pid == s->pid || errno != EINTR;
	}
	return WIFEXITED(s->status) && WEXITSTATUS(s->status) == 0;
}

bool sinkpipe_reader_left(const struct sinkpipe *s)
{
	return WIFEXITED(s->status) && WEXITSTATUS(s->status) == STREAMS_READER_LEFT;
}
