/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#include "lib/clock.h"
#include "lib/trust.h"
#include "uapi/status.h"

#define PATIENCE_MS 5000	/* time for one answer */
#define ANSWER_MOST (64u << 20) /* bytes; a larger answer is not one of a script */

extern char **environ;

static int64_t now_ms(void)
{
	return (int64_t)(clock_now() / 1000000);
}

/* Reads until the end. False: it took too long, or there was too much. */
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

static bool ask_staprun(const char *staprun, const char *option, const char *name, struct text *ret)
{
	char *const argv[] = { "staprun", (char *)option, (char *)name, NULL };
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

static pid_t parent_of(long pid)
{
	char path[64], stat[512], *end;
	pid_t ret = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "re");
	if (f && fgets(stat, sizeof(stat), f) && (end = strrchr(stat, ')')))
		sscanf(end, ") %*c %d", &ret);
	if (f)
		fclose(f);
	return ret;
}

/*
 * Connects to the socket of that name, if it belongs to that process: other processes may
 * use the name as well. Does not wait for a process whose queue is full. Returns -1 on
 * failure.
 */
static int connect_to(const char *name, pid_t pid)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (len < sizeof(a.sun_path)) {
		memcpy(a.sun_path + 1, name, len);
		len += offsetof(struct sockaddr_un, sun_path) + 1;
		if (!connect(fd, (const struct sockaddr *)&a, (socklen_t)len) &&
		    trust_socket(fd, geteuid(), pid))
			return fd;
	}
	close(fd);
	return -1;
}

/*
 * Connects to the program of that name whose parent is this process. -1: there is none
 * yet.
 */
static int find_program(const char *name, pid_t parent)
{
	FILE *f = fopen("/proc/net/unix", "re");
	char line[512], prefix[128];
	int fd = -1;

	snprintf(prefix, sizeof(prefix), "@" STP_RUN_SOCKET "%s/", name);
	while (f && fd < 0 && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, prefix);
		long pid = at ? strtol(at + strlen(prefix), NULL, 10) : 0;

		if (pid <= 0 || (pid != parent && parent_of(pid) != parent))
			continue;
		at[strcspn(at, "\n")] = 0;
		fd = connect_to(at + 1, (pid_t)pid);
	}
	if (f)
		fclose(f);
	return fd;
}

static bool ask_program(int fd, const char *request, struct text *ret)
{
	return send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request) &&
	       read_all(fd, ret);
}

/* ---- both ---- */

bool fetch_values(const char *staprun, const char *name, pid_t pid, struct values *ret)
{
	int fd = find_program(name, pid);
	struct text text = { 0 };
	bool ok = fd >= 0 ? ask_program(fd, "globals\n", &text)
			  : ask_staprun(staprun, "--globals", name, &text);

	*ret = (struct values){ .state = -1, .owner = -1 };
	if (text.len)
		values_read(ret, text.s, text.len);
	text_free(&text);
	/* A module of that name may be another user's: the kernel knows its owner. */
	if (fd < 0)
		ok = ok && ret->owner == geteuid();
	else
		close(fd);
	return ok && ret->is_whole;
}

bool fetch_last(int fd, struct values *ret)
{
	struct text text = { 0 };
	char buf[65536];
	ssize_t n;

	*ret = (struct values){ .state = -1, .owner = -1 };
	while (text.len <= ANSWER_MOST && (n = pread(fd, buf, sizeof(buf), (off_t)text.len)) > 0)
		text_add(&text, buf, (size_t)n);
	if (text.len)
		values_read(ret, text.s, text.len);
	text_free(&text);
	return ret->is_whole;
}

bool fetch_switch(const char *staprun, const char *name, pid_t pid, const char *what)
{
	int fd = find_program(name, pid);
	struct text text = { 0 }, request = { 0 };
	bool ok;

	text_addf(&request, fd >= 0 ? "switch %s\n" : "--switch=%s", what);
	ok = fd >= 0 ? ask_program(fd, request.s, &text) && text.len >= 2 &&
			       !memcmp(text.s, "ok", 2)
		     : ask_staprun(staprun, request.s, name, &text);
	if (fd >= 0)
		close(fd);
	text_free(&text);
	text_free(&request);
	return ok;
}
