/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See command.h. */
#define _GNU_SOURCE /* strsignal, pipe2 */
#include "user/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/dburl.h"

#define MAX_WORDS 256
#define TASK_NAME 16 /* with its NUL, the kernel's TASK_COMM_LEN */
#define TICK_US	  10000
#define PATIENCE  100 /* ticks for a command that was told to end */

/* True: the command takes a shell. */
static bool is_shells(const char *command)
{
	return strpbrk(command, "|&;<>()$`\\\"'*?[]#~=%!{}\n");
}

int command_exec_shell(const char *command)
{
	unsetenv(DBURL_PASSWORD);
	return execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

/*
 * Runs the command without a shell where possible: the target is then the program itself,
 * not /bin/sh.
 */
int command_exec(const char *command)
{
	char *words[MAX_WORDS + 1], *copy, *save = NULL;
	unsigned n = 0;

	unsetenv(DBURL_PASSWORD);
	if (is_shells(command))
		return command_exec_shell(command);
	copy = strdup(command);
	if (!copy)
		return -1;
	for (char *w = strtok_r(copy, " \t", &save); w && n < MAX_WORDS;
	     w = strtok_r(NULL, " \t", &save))
		words[n++] = w;
	words[n] = NULL;
	if (!n || n == MAX_WORDS)
		return command_exec_shell(command);
	execvp(words[0], words);
	/* A builtin, such as `exit 3`, is run by the shell. */
	return errno == ENOENT && !strchr(words[0], '/') ? command_exec_shell(command) : -1;
}

static void __attribute__((noreturn)) child_main(const char *command,
						 const struct command_child *child, int hold)
{
	char go;

	/* End of file: the script did not start. */
	if (read(hold, &go, 1) != 1)
		_exit(0);
	if (child->begin)
		child->begin(child->ctx);
	command_exec(command);
	child->fail(command);
	_exit(127);
}

/* Stores what the process will be called as the command, as far as it fits. */
static void command_name(const char *command, char ret[TASK_NAME])
{
	const char *word = command + strspn(command, " \t"), *name = word;
	size_t len = strcspn(word, " \t");

	for (const char *c = word; c < word + len; c++)
		if (*c == '/')
			name = c + 1;
	if (is_shells(command) || !len)
		name = "sh";
	else
		len -= (size_t)(name - word);
	snprintf(ret, TASK_NAME, "%.*s", (int)len, name);
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

pid_t command_fork(const char *command, const struct command_child *child, int *hold)
{
	char name[TASK_NAME];
	int ends[2];
	pid_t pid;

	command_name(command, name);
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork_named(name);
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		close(ends[1]);
		child_main(command, child, ends[0]);
	}
	close(ends[0]);
	*hold = ends[1];
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

	return fd < 0 ? -errno : fd;
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
