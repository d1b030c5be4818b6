/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "exporter/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exporter/text.h"
#include "exporter/values.h"
#include "uapi/status.h"

#define PATIENCE_MS 5000	/* for one answer */
#define ANSWER_MOST (64u << 20) /* bytes; more is not a script's, or nothing to be scraped */

extern char **environ;

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until the end. False: it took too long, or was too much. */
static bool read_all(int fd, struct text *ret)
{
	int64_t end = now_ms() + PATIENCE_MS;
	char buf[65536];

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - now_ms();
		ssize_t n;

		if (left <= 0 || ret->len > ANSWER_MOST)
			return false;
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, buf, sizeof(buf));
		if (!n)
			return true;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		if (n > 0)
			text_add(ret, buf, (size_t)n);
	}
}

/* ---- modules ---- */

static bool ask_staprun(const char *staprun, const char *name, struct text *ret)
{
	char *const argv[] = { "staprun", "--globals", (char *)name, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], status;
	pid_t pid;
	bool ok;

	if (pipe2(fds, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	ok = !posix_spawn(&pid, staprun, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (ok) {
		ok = read_all(fds[0], ret);
		if (!ok)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		ok = ok && WIFEXITED(status) && !WEXITSTATUS(status);
	}
	close(fds[0]);
	return ok;
}

/* ---- programs ---- */

/*
 * Finds the socket of the program of that name whose parent is ours: others may have any name.
 */
static bool find_socket(const char *name, pid_t parent, struct sockaddr_un *ret, socklen_t *len)
{
	FILE *f = fopen("/proc/net/unix", "re");
	char line[512], prefix[128], path[64], stat[512];
	bool found = false;

	snprintf(prefix, sizeof(prefix), "@" STP_RUN_SOCKET "%s/", name);
	while (f && !found && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, prefix), *end;
		long pid = at ? strtol(at + strlen(prefix), &end, 10) : 0;
		int ppid = 0;
		FILE *s;

		if (pid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
		s = fopen(path, "re");
		if (s && fgets(stat, sizeof(stat), s) && (end = strrchr(stat, ')')))
			sscanf(end, ") %*c %d", &ppid);
		if (s)
			fclose(s);
		found = ppid == parent || pid == parent;
		if (!found)
			continue;
		*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
		*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				   (size_t)snprintf(ret->sun_path + 1, sizeof(ret->sun_path) - 1,
						    STP_RUN_SOCKET "%s/%ld", name, pid));
	}
	if (f)
		fclose(f);
	return found;
}

static bool ask_socket(const struct sockaddr_un *a, socklen_t len, const char *request,
		       struct text *ret)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ok = fd >= 0 && !connect(fd, (const struct sockaddr *)a, len) &&
		  send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request) &&
		  read_all(fd, ret);

	if (fd >= 0)
		close(fd);
	return ok;
}

bool fetch_values(const char *staprun, const char *name, pid_t pid, struct values *ret)
{
	struct text text = { 0 };
	struct sockaddr_un a;
	socklen_t len;
	bool ok;

	if (find_socket(name, pid, &a, &len))
		ok = ask_socket(&a, len, "globals\n", &text);
	else
		ok = ask_staprun(staprun, name, &text);
	*ret = (struct values){ .state = -1 };
	if (text.len)
		values_read(ret, text.s, text.len);
	text_free(&text);
	return ok && ret->is_whole;
}
