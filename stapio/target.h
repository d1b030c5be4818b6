/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target of a trace: the process started by -c, or named by -x. A command is forked
 * before the probes are in place and held by a pipe, so that the script knows its pid. It
 * calls exec when it is released.
 */
#ifndef STAPIO_TARGET_H
#define STAPIO_TARGET_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct signals;

/* One thread releases a command, and another one drops it. */
struct target {
	pthread_mutex_t lock; /* release */
	pid_t pid;	      /* 0: none */
	bool is_command;
	int release; /* write end of the pipe that holds the command, or -1 */
	int pidfd;   /* of an attached process, or -1; readable when it has ended */
	int watch;   /* the same of either kind */
	bool ended;
	int status; /* of a command that has ended, as from waitpid() */
};

void target_init(struct target *t);
/* 0 or -errno. */
int target_run(struct target *t, const char *command, const struct signals *s, bool aside);
int target_attach(struct target *t, pid_t pid);
void target_release(struct target *t);
/* Notes that a child has been reaped. True: it was the command. */
bool target_reaped(struct target *t, pid_t pid, int status);
/*
 * Sends SIGTERM to a command that still runs when the script has ended. True: a command
 * ended by itself with a status other than 0, which was reported.
 */
bool target_finish(struct target *t);

#endif
