/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See target.h. */
#include "stapio/target.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/command.h"
#include "stapio/signals.h"
#include "trace/messages.h"

void target_init(struct target *t)
{
	*t = (struct target){
		.lock = PTHREAD_MUTEX_INITIALIZER, .release = -1, .pidfd = -1, .watch = -1
	};
}

static void begin_child(const void *signals)
{
	signals_restore(signals);
}

/* The command's output goes to stderr: stdout is only for data. */
static void begin_child_aside(const void *signals)
{
	signals_restore(signals);
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void say_failed(const char *command)
{
	message_error("cannot run '%s': %s", command, strerror(errno));
}

/* Returns 0 or -errno. */
static int target_watch(struct target *t)
{
	int fd = command_watch(t->pid);

	if (fd < 0)
		return fd;
	t->watch = fd;
	return 0;
}

int target_run(struct target *t, const char *command, const struct signals *s, bool aside)
{
	struct command_child child = { aside ? begin_child_aside : begin_child, say_failed, s };
	pid_t pid = command_fork(command, &child, &t->release);

	if (pid < 0)
		return pid;
	t->pid = pid;
	t->is_command = true;
	return target_watch(t);
}

int target_attach(struct target *t, pid_t pid)
{
	int ret;

	t->pid = pid;
	ret = target_watch(t);
	t->pidfd = t->watch;
	return ret;
}

/* Releases the command, or gives it up. True: it was still held. */
static bool let_go(struct target *t, bool run)
{
	bool held;

	pthread_mutex_lock(&t->lock);
	held = command_let_go(&t->release, run);
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

static void end_command(struct target *t)
{
	int status;

	if (!let_go(t, false))
		kill(t->pid, SIGTERM);
	if (command_reap_soon(t->pid, &status))
		target_reaped(t, t->pid, status);
	else
		message_warning("the command (process %d) goes on after the end of the trace",
				(int)t->pid);
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
