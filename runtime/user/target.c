/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target process of a script that runs as a program. -c forks it before begin and
 * holds it until begin is done, so that target() knows it; -x names it. When it ends the
 * script ends.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "trace/messages.h"
#include "user/user.h"

static struct {
	pid_t command; /* pid until it is reaped; otherwise 0 */
	int release;   /* the pipe that holds it, or -1 */
	int watch;     /* readable when the process has ended; -1: no process, or it has ended */
	bool ended;    /* by itself */
	int status;
} target = { .release = -1, .watch = -1 };

static void say_failed(const char *command)
{
	fprintf(stderr, "ERROR: cannot run '%s': %s\n", command, strerror(errno));
}

/* Watches the process. Returns 0 or -errno. */
static int target_watch(pid_t pid)
{
	int fd = command_watch(pid);

	if (fd < 0)
		return fd;
	target.watch = fd;
	return 0;
}

static void begin_aside(const void *ctx)
{
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

int user_target_run(const char *command, int64_t *pid, bool aside)
{
	const struct command_child child = { aside ? begin_aside : NULL, say_failed, NULL };
	pid_t started;

	fflush(NULL);
	started = command_fork(command, &child, &target.release);
	if (started < 0)
		return started;
	*pid = target.command = started;
	return target_watch(started);
}

int user_target_attach(int64_t pid)
{
	return pid > 0 && pid <= INT32_MAX ? target_watch((pid_t)pid) : -ESRCH;
}

void user_target_leave(void)
{
	if (target.watch >= 0)
		close(target.watch);
	target.watch = -1;
}

void user_target_release(bool run)
{
	command_let_go(&target.release, run);
}

bool user_target_waits(void)
{
	return target.command && target.release >= 0;
}

int user_target_watch(void)
{
	return target.watch;
}

bool user_target_reaped(pid_t pid, int status)
{
	if (!target.command || pid != target.command)
		return false;
	target.command = 0;
	target.status = status;
	return true;
}

void user_target_ended(void)
{
	int status;

	close(target.watch);
	target.watch = -1;
	if (target.command && waitpid(target.command, &status, 0) == target.command) {
		user_target_reaped(target.command, status);
		target.ended = true;
	}
	stp_session_request_exit();
}

bool user_target_finish(void)
{
	char how[128];
	bool failed = target.ended && command_failed(target.status, how, sizeof(how));
	bool was_held = command_let_go(&target.release, false);
	int status;

	if (failed)
		message_warning("%s", how);
	if (target.command && !was_held)
		kill(target.command, SIGTERM);
	if (target.command && command_reap_soon(target.command, &status))
		user_target_reaped(target.command, status);
	if (target.command)
		message_warning("the command (process %d) goes on after the end of the script",
				(int)target.command);
	return failed;
}
