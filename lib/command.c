/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See command.h. */
#include "lib/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/commandline.h"
#include "lib/dburl.h"
#include "lib/rawcall.h"

#define TASK_NAME 16 /* with its NUL, the kernel's TASK_COMM_LEN */
#define TICK_US	  10000
#define PATIENCE  100 /* ticks for a command that was told to end */

int command_exec_shell(const char *command)
{
	unsetenv(DBURL_PASSWORD);
	return execl(COMMANDLINE_SHELL, "sh", "-c", command, (char *)NULL);
}

/* A command that is ready to be executed. */
struct ready {
	const char *text;
	struct commandline line;
	char **env; /* pointers into our environment and into the line */
};

static bool is_same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return !strncmp(a, b, len) && (b[len] == '=' || !b[len]);
}

/* True: the command gets this variable of our environment. */
static bool is_handed_on(const struct commandline *line, const char *entry)
{
	if (is_same_name(entry, DBURL_PASSWORD))
		return false;
	for (char **a = line->assigned; a && *a; a++)
		if (is_same_name(*a, entry))
			return false;
	return true;
}

/* Makes the command's environment: ours, and the assignments of its line. */
static char **environment(const struct commandline *line)
{
	size_t n = 0, k = 0;
	char **ret;

	for (char **e = environ; e && *e; e++)
		n++;
	for (char **a = line->assigned; a && *a; a++)
		n++;
	ret = calloc(n + 1, sizeof(*ret));
	for (char **e = environ; ret && e && *e; e++)
		if (is_handed_on(line, *e))
			ret[k++] = *e;
	for (char **a = line->assigned; ret && a && *a; a++)
		ret[k++] = *a;
	return ret;
}

/*
 * Everything is allocated before the fork, and so before the probes are in place: memory
 * that the child allocated would be counted as the target's.
 */
static int ready_init(struct ready *r, const char *command)
{
	int rc = commandline_init(&r->line, command);

	if (rc)
		return rc;
	r->text = command;
	r->env = environment(&r->line);
	if (r->env)
		return 0;
	commandline_deinit(&r->line);
	return -ENOMEM;
}

static void ready_deinit(struct ready *r)
{
	free(r->env);
	commandline_deinit(&r->line);
}

/*
 * Like execvp(3), runs a file that the kernel does not execute with a shell. Returns
 * -errno.
 */
static int exec_otherwise(const struct ready *r, int error)
{
	bool has_path = strchr(r->line.words[0], '/');
	size_t n = 0;
	char **words;

	/* The program was removed after the search: perhaps a builtin has its name. */
	if (error == ENOENT && !has_path && !r->line.is_shells)
		return command_exec_shell(r->text), -errno;
	if (error != ENOEXEC)
		return -error;
	while (r->line.words[n])
		n++;
	words = calloc(n + 2, sizeof(*words));
	if (!words)
		return -ENOMEM;
	words[0] = "sh";
	words[1] = r->line.path;
	memcpy(words + 2, r->line.words + 1, (n - 1) * sizeof(*words));
	execve(COMMANDLINE_SHELL, words, r->env);
	return -errno;
}

/*
 * Waits for command_let_go(). True: the command is to run. End of file: the script did
 * not start. Signals from the terminal stay pending as well, because a held command does
 * not run.
 */
static bool is_let_go(int hold)
{
	struct pollfd poll = { .fd = hold, .events = POLLIN };
	const uint64_t all = ~0ull; /* the kernel's own set of signals */
	long rc;

	do
		rc = rawcall(SYS_ppoll, (long)&poll, 1, 0, (long)&all, sizeof(all));
	while (rc == -EINTR || rc == -EAGAIN);
	return rc == 1 && poll.revents & POLLIN;
}

/*
 * Nothing of ours runs between the wait and the exec, not even a call of libc: the probes
 * are in place, and this process is target().
 */
static void __attribute__((noreturn))
child_main(const struct ready *r, const struct command_child *child, int hold)
{
	long rc;

	if (child->begin)
		child->begin(child->ctx);
	if (!is_let_go(hold))
		_exit(0);
	rc = rawcall(SYS_execve, (long)r->line.path, (long)r->line.words, (long)r->env, 0, 0);
	errno = -exec_otherwise(r, (int)-rc);
	child->fail(r->text);
	_exit(127);
}

/* Stores the name that the process will have as the command, cut to fit. */
static void command_name(const struct commandline *line, char ret[TASK_NAME])
{
	const char *name = strrchr(line->path, '/');

	snprintf(ret, TASK_NAME, "%s", name ? name + 1 : line->path);
}

/* Forks a child that has the name at once: probes may see it before its exec. */
static pid_t fork_named(const char *name)
{
	char own[TASK_NAME];
	pid_t pid;

	if (prctl(PR_GET_NAME, own))
		return fork();
	prctl(PR_SET_NAME, name);
	pid = fork();
	if (pid)
		prctl(PR_SET_NAME, own);
	return pid;
}

static pid_t fork_ready(const struct ready *r, const struct command_child *child, int *hold)
{
	char name[TASK_NAME];
	int ends[2];
	pid_t pid;

	command_name(&r->line, name);
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork_named(name);
	if (pid == 0) {
		close(ends[1]);
		child_main(r, child, ends[0]);
	}
	if (pid < 0)
		pid = -errno;
	else
		*hold = ends[1];
	close(ends[0]);
	if (pid < 0)
		close(ends[1]);
	return pid;
}

pid_t command_fork(const char *command, const struct command_child *child, int *hold)
{
	struct ready r;
	pid_t pid = ready_init(&r, command);

	if (pid)
		return pid;
	pid = fork_ready(&r, child, hold);
	ready_deinit(&r);
	return pid;
}

bool command_let_go(int *hold, bool run)
{
	if (*hold < 0)
		return false;
	while (run && write(*hold, "", 1) < 0 && errno == EINTR)
		;
	close(*hold);
	*hold = -1;
	return true;
}

int command_watch(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	/* The kernel says EINVAL of a thread, and ENOENT since Linux 6.9. */
	if (fd < 0 && (errno == ENOENT || errno == EINVAL))
		return -EISDIR;
	return fd < 0 ? -errno : fd;
}

const char *command_reason(int rc)
{
	switch (rc) {
	case -ESRCH:
		return "there is no such process";
	case -EISDIR:
		return "this is a thread; name its process, which has the Tgid of "
		       "/proc/NUMBER/status";
	default:
		return strerror(-rc);
	}
}

bool command_reap_soon(pid_t pid, int *status)
{
	for (int i = 0; i < PATIENCE; i++) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		usleep(TICK_US);
	}
	return false;
}

bool command_failed(int status, char *ret, unsigned long size)
{
	if (WIFSIGNALED(status))
		snprintf(ret, size, "the command was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		snprintf(ret, size, "the command ended with exit status %d", WEXITSTATUS(status));
	return WIFSIGNALED(status) || WEXITSTATUS(status);
}
