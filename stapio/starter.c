/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See starter.h. A request is the length of the text with its NUL, and the
 * text; the answer is a process or -errno. Length 0: go to the background.
 */
#include "stapio/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/exchange.h"
#include "stapio/background.h"
#include "stapio/signals.h"
#include "trace/messages.h"

static void __attribute__((noreturn)) command_main(const struct signals *s, const char *text)
{
	int null = open("/dev/null", O_RDONLY);

	// From here on, scripts see the name of the shell, not ours.
	prctl(PR_SET_NAME, "sh");
	// The input of the terminal is not for the commands.
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	signals_restore(s);
	command_exec_shell(text);
	message_error("cannot run '%s': %s", text, strerror(errno));
	_exit(127);
}

/*
 * Starts a command as a child of our parent, which waits for it like for its other
 * children.
 */
static pid_t start(const struct signals *s, const char *text)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		command_main(s, text);
	return pid < 0 ? -errno : pid;
}

static void __attribute__((noreturn)) starter_main(int fd, const struct signals *s, bool aside)
{
	uint32_t len;

	prctl(PR_SET_NAME, "stapio-starter");
	// An open file of the module would prevent its removal.
	if (fd > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
	if (aside)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	while (exchange_receive(fd, &len, sizeof(len))) {
		char *text;
		int32_t pid;

		if (!len) {
			background_streams();
			continue;
		}
		text = malloc(len);
		if (!text || !exchange_receive(fd, text, len))
			break;
		pid = start(s, text);
		free(text);
		if (!exchange_send(fd, &pid, sizeof(pid)))
			break;
	}
	_exit(0);
}

int starter_init(struct starter *st, const struct signals *s, bool aside)
{
	int fds[2];

	*st = (struct starter){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	st->pid = fork();
	if (st->pid == 0)
		starter_main(fds[1], s, aside);
	close(fds[1]);
	st->fd = fds[0];
	return st->pid < 0 ? -errno : 0;
}

pid_t starter_run(struct starter *st, const char *text)
{
	uint32_t len = (uint32_t)strlen(text) + 1;
	int32_t pid;

	if (st->fd < 0 || !exchange_send(st->fd, &len, sizeof(len)) ||
	    !exchange_send(st->fd, text, len) || !exchange_receive(st->fd, &pid, sizeof(pid)))
		return -EPIPE;
	return pid;
}

void starter_go_to_background(struct starter *st)
{
	const uint32_t none = 0;

	if (st->fd >= 0)
		exchange_send(st->fd, &none, sizeof(none));
}

void starter_deinit(struct starter *st)
{
	if (st->fd < 0)
		return;
	close(st->fd);
	while (waitpid(st->pid, NULL, 0) < 0 && errno == EINTR)
		;
	st->fd = -1;
}
