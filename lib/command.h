/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of -c: forked and held until the probes are in place, then run. */
#ifndef LIB_COMMAND_H
#define LIB_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Functions that run in the forked child: at once, and when the command cannot be run
 * (errno says why).
 */
struct command_child {
	void (*begin)(const void *ctx); /* or NULL */
	void (*fail)(const char *command);
	const void *ctx;
};

/*
 * Forks the command (commandline.h has how it is read) and holds it: *hold is for
 * command_let_go(). The child is called as the command already. Returns its pid, or
 * -errno.
 */
pid_t command_fork(const char *command, const struct command_child *child, int *hold);
/* Lets a held command run, or gives it up; *hold becomes -1. True: it was still held. */
bool command_let_go(int *hold, bool run);
/* Returns a descriptor that becomes readable when the process has ended, or -errno. */
int command_watch(pid_t pid);
/*
 * Waits up to a second for a command that was told to end. True: it has been reaped, with
 * *status.
 */
bool command_reap_soon(pid_t pid, int *status);
/*
 * Runs the shell; for a forked child. Returns -1 with errno when that fails, and never on
 * success.
 */
int command_exec_shell(const char *command);
/*
 * Describes how a command ended, by waitpid()'s status, as "the command …"; false: it
 * ended with 0.
 */
bool command_failed(int status, char *ret, unsigned long size);

#endif
