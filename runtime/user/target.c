/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that a script which runs as a program is about: of -c, forked before begin and held until that is through, so
 * that target() knows it; or that of -x. When it ends the script does.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/command.h"
#include "user/user.h"

#define TICK_US	   10000
#define PATIENCE   100 /* ticks for a command that was told to end */

static struct {
	pid_t command; /* 0: none that has not been reaped */
	int release;   /* the pipe that holds it, or -1 */
	int watch;     /* readable when the process has ended; -1: there is none, or it has */
	bool ended;    /* by itself */
	int status;
} target = { .release = -1, .watch = -1 };

static void __attribute__((noreturn)) command_main(const char *command, int hold)
{
	char go;

	/* End of file: the script did not start. */
	if (read(hold, &go, 1) != 1)
		_exit(0);
	command_exec(command);
	fprintf(stderr, "ERROR: cannot run '%s': %s\n", command, strerror(errno));
	_exit(127);
}

static int target_watch(pid_t pid)
{
	target.watch = (int)syscall(SYS_pidfd_open, pid, 0);
	return target.watch < 0 ? -errno : 0;
}

int user_target_run(const char *command, int64_t *pid)
{
	int hold[2];

	if (pipe2(hold, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	target.command = fork();
	if (target.command < 0)
		return -errno;
	if (target.command == 0) {
		close(hold[1]);
		command_main(command, hold[0]);
	}
	close(hold[0]);
	target.release = hold[1];
	*pid = target.command;
	return target_watch(target.command);
}

int user_target_attach(int64_t pid)
{
	return pid > 0 && pid <= INT32_MAX ? target_watch((pid_t)pid) : -ESRCH;
}

void user_target_release(bool run)
{
	if (target.release < 0)
		return;
	while (run && write(target.release, "", 1) < 0 && errno == EINTR)
		;
	close(target.release);
	target.release = -1;
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

/* True: it is no more. */
static bool reap_soon(void)
{
	int status;

	for (int i = 0; target.command && i < PATIENCE; i++) {
		if (waitpid(target.command, &status, WNOHANG) == target.command)
			return user_target_reaped(target.command, status);
		usleep(TICK_US);
	}
	return !target.command;
}

bool user_target_finish(void)
{
	char how[128];
	bool failed = target.ended && command_failed(target.status, how, sizeof(how));
	bool is_held = target.release >= 0;

	user_target_release(false);
	if (failed)
		fprintf(stderr, "WARNING: %s\n", how);
	if (target.command && !is_held)
		kill(target.command, SIGTERM);
	if (!reap_soon())
		fprintf(stderr, "WARNING: the command (process %d) goes on after the end of the script\n",
			(int)target.command);
	return failed;
}
