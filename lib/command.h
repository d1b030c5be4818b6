/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of -c: forked and held until the probes are in place, then run. */
#ifndef LIB_COMMAND_H
#define LIB_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Functions that run in the forked child: `begin` first, the other one when the command
 * cannot be run (errno says why).
 */
struct command_child {
	void (*begin)(const void *ctx); /* or NULL */
	void (*fail)(const char *command);
	const void *ctx;
};

/*
 * Forks the command (commandline.h describes how it is read) and holds it until
 * command_let_go() is called with *hold. The child already has the name of the command.
 * Returns its pid, or -errno.
 */
pid_t command_fork(const char *command, const struct command_child *child, int *hold);
/* Lets a held command run, or drops it. *hold becomes -1. True: it was still held. */
bool command_let_go(int *hold, bool run);
/*
 * Returns a descriptor that becomes readable when the process has ended, or -errno;
 * -EISDIR: the number is that of a thread in a process.
 */
int command_watch(pid_t pid);
/* Returns the reason for that error: -errno of one of these functions. */
const char *command_reason(int rc);
/*
 * Waits up to a second for a command that was asked to end. True: it was reaped, and
 * *status is set.
 */
bool command_reap_soon(pid_t pid, int *status);
/* Executes the shell, in a forked child. Returns only on failure: -1, with errno set. */
int command_exec_shell(const char *command);
/*
 * Describes how a command ended, from the status of waitpid(): "the command …". False: it
 * exited with 0.
 */
bool command_failed(int status, char *ret, unsigned long size);

#endif
