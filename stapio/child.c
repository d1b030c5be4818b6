/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See child.h. */
#define _GNU_SOURCE /* pipe2 */
#include "stapio/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stapio/messages.h"
#include "stapio/signals.h"
#include "user/command.h"

void target_init(struct target *t)
{
	*t = (struct target){ .lock = PTHREAD_MUTEX_INITIALIZER, .release = -1, .pidfd = -1, .watch = -1 };
}

static void __attribute__((noreturn)) child_main(const char *command, int hold, const struct signals *s)
{
	char go;

	// End of file: the trace did not start.
	if (read(hold, &go, 1) != 1)
		_exit(0);
	signals_restore(s);
	command_exec(command);
	message_error("cannot run '%s': %s", command, strerror(errno));
	_exit(127);
}

static int open_process(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int target_run(struct target *t, const char *command, const struct signals *s)
{
	int hold[2];

	if (pipe2(hold, O_CLOEXEC))
		return -errno;
	t->pid = fork();
	if (t->pid < 0)
		return -errno;
	if (t->pid == 0) {
		close(hold[1]);
		child_main(command, hold[0], s);
	}
	close(hold[0]);
	t->release = hold[1];
	t->is_command = true;
	t->watch = open_process(t->pid);
	return t->watch < 0 ? -errno : 0;
}

int target_attach(struct target *t, pid_t pid)
{
	t->pid = pid;
	t->pidfd = t->watch = open_process(pid);
	return t->pidfd < 0 ? -errno : 0;
}

/* True: it was still held. */
static bool let_go(struct target *t, bool run)
{
	bool held;

	pthread_mutex_lock(&t->lock);
	held = t->release >= 0;
	while (held && run && write(t->release, "", 1) < 0 && errno == EINTR)
		;
	if (held)
		close(t->release);
	t->release = -1;
	pthread_mutex_unlock(&t->lock);
	return held;
}

void target_release(struct target *t)
{
	let_go(t, true);
}

bool target_reaped(struct target *t, pid_t pid, int status)
{
	if (!t->is_command || t->ended || pid != t->pid)
		return false;
	t->ended = true;
	t->status = status;
	return true;
}

/* A second for a command that was told to end; one that does not is left alone. */
static bool reap_soon(struct target *t)
{
	for (int i = 0; i < 100; i++) {
		int status;

		if (waitpid(t->pid, &status, WNOHANG) == t->pid)
			return target_reaped(t, t->pid, status);
		usleep(10000);
	}
	return false;
}

static void end_command(struct target *t)
{
	if (!let_go(t, false))
		kill(t->pid, SIGTERM);
	if (!reap_soon(t))
		message_warning("the command (process %d) goes on after the end of the trace", (int)t->pid);
}

bool target_finish(struct target *t)
{
	char how[128];
	bool failed = t->is_command && t->ended && command_failed(t->status, how, sizeof(how));

	if (t->is_command && !t->ended)
		end_command(t);
	else if (failed)
		message_warning("%s", how);
	return failed;
}
