/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

extern char **environ;

static int spawn(const char *dir, char *const argv[], int output, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	if (dir)
		err = posix_spawn_file_actions_addchdir_np(&actions, dir);
	if (!err && output >= 0) {
		err = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
		if (!err)
			err = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	}
	if (!err)
		err = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

static const char *read_all(struct arena *a, int fd)
{
	struct strbuf out;
	char chunk[4096];
	ssize_t n;

	strbuf_init(&out, a);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			strbuf_add(&out, chunk, (size_t)n);
	return out.s;
}

struct error *process_start(struct arena *a, const char *dir, char *const argv[], bool capture, struct process *ret)
{
	int pipes[2] = { -1, -1 }, err;

	*ret = (struct process){ .output = -1, .program = argv[0] };
	STAP_PROBE2(stap, stap_system, argv[0], argv);
	if (capture && pipe2(pipes, O_CLOEXEC))
		return error_errno(a, "pipe");
	err = spawn(dir, argv, pipes[1], &ret->pid);
	STAP_PROBE2(stap, stap_system__spawn, err, ret->pid);
	if (capture)
		close(pipes[1]);
	if (!err) {
		ret->output = pipes[0];
		return NULL;
	}
	if (capture)
		close(pipes[0]);
	errno = err;
	return error_errno(a, "cannot run %s", argv[0]);
}

struct error *process_wait(struct arena *a, struct process *p, struct process_result *ret)
{
	int status;

	*ret = (struct process_result){ .output = "" };
	if (p->output >= 0) {
		ret->output = read_all(a, p->output);
		close(p->output);
	}
	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_errno(a, "waiting for %s", p->program);
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	STAP_PROBE1(stap, stap_system__return, ret->status);
	return NULL;
}

struct error *process_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			  struct process_result *ret)
{
	struct process p;
	struct error *err = process_start(a, dir, argv, capture, &p);

	*ret = (struct process_result){ .output = "" };
	return err ? err : process_wait(a, &p, ret);
}
