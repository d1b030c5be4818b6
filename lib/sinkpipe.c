/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sinkpipe.h. */
#include "lib/sinkpipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/streams.h"

#define SINKPIPE_BYTES (1 << 20)

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u /* since Linux 6.3, where an administrator can require it */
#endif

static void sinkpipe_become(const struct sinkpipe *s, const char *program, const char *to, int from,
			    int out)
{
	sigset_t none;
	char book[16];

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	snprintf(book, sizeof(book), "%d", s->book);
	if (dup2(from, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    fcntl(s->book, F_SETFD, 0))
		;
	else if (to)
		execl(program, "stap-merge", "-w", "--stored", book, "--to", to, "-", (char *)NULL);
	else
		execl(program, "stap-merge", "-w", "--stored", book, "--json", "-", (char *)NULL);
	fprintf(stderr, "ERROR: %s: %s\n", program, strerror(errno));
	_exit(127);
}

static int sinkpipe_open_book(void)
{
	int fd = memfd_create("stored", MFD_CLOEXEC | MFD_NOEXEC_SEAL);

	return fd < 0 && errno == EINVAL ? memfd_create("stored", MFD_CLOEXEC) : fd;
}

int sinkpipe_start(struct sinkpipe *s, const char *program, const char *to, int out)
{
	int fds[2], rc;

	*s = (struct sinkpipe){ .fd = -1, .book = sinkpipe_open_book() };
	if (s->book < 0)
		return -errno;
	if (pipe2(fds, O_CLOEXEC)) {
		rc = -errno;
		close(s->book);
		return rc;
	}
	fcntl(fds[1], F_SETPIPE_SZ, SINKPIPE_BYTES); // as it is otherwise
	s->pid = fork();
	rc = s->pid < 0 ? -errno : 0;
	if (s->pid == 0)
		sinkpipe_become(s, program, to, fds[0], out);
	close(fds[0]);
	if (s->pid > 0)
		s->fd = fds[1];
	else
		close(fds[1]);
	return rc;
}

bool sinkpipe_reaped(struct sinkpipe *s, pid_t pid, int status)
{
	if (!s->pid || pid != s->pid)
		return false;
	s->ended = true;
	s->status = status;
	return true;
}

uint64_t sinkpipe_stored(const struct sinkpipe *s, uint64_t *ret, uint32_t n)
{
	ssize_t got = pread(s->book, ret, n * sizeof(*ret), 0);
	uint64_t sum = 0;

	// Counts that it has not written yet are 0.
	for (uint32_t i = 0; i < n; i++) {
		if (got < (ssize_t)((i + 1) * sizeof(*ret)))
			ret[i] = 0;
		sum += ret[i];
	}
	return sum;
}

uint64_t sinkpipe_stored_all(const struct sinkpipe *s)
{
	uint64_t sum = 0, each;

	for (off_t at = 0; pread(s->book, &each, sizeof(each), at) == sizeof(each);
	     at += sizeof(each))
		sum += each;
	return sum;
}

bool sinkpipe_finish(struct sinkpipe *s)
{
	while (!s->ended) {
		pid_t pid = waitpid(s->pid, &s->status, 0);

		s->ended = pid == s->pid || errno != EINTR;
	}
	return WIFEXITED(s->status) && WEXITSTATUS(s->status) == 0;
}

bool sinkpipe_explain(const struct sinkpipe *s, uint64_t given, uint64_t stored, char *text,
		      size_t size)
{
	unsigned long long missing = given > stored ? given - stored : 0;
	int n = 0;

	if (WIFSIGNALED(s->status))
		n = snprintf(text, size, "stap-merge was killed by signal %d; ",
			     WTERMSIG(s->status));
	if (!n && !missing)
		return false;
	snprintf(text + n, size - (size_t)n, "%llu records were not stored, %llu were", missing,
		 (unsigned long long)stored);
	return true;
}

bool sinkpipe_reader_left(const struct sinkpipe *s)
{
	return WIFEXITED(s->status) && WEXITSTATUS(s->status) == STREAMS_READER_LEFT;
}
