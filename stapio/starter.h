/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts commands for stapio from a separate process. stapio cannot start them itself,
 * because its filter of system calls (sandbox.h) would apply to them as well. Commands
 * are nevertheless children of stapio.
 */
#ifndef STAPIO_STARTER_H
#define STAPIO_STARTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct signals;

struct starter {
	int fd; /* -1: there is none */
	pid_t pid;
};

/*
 * Starts the process, before any thread is created. `aside`: the commands' stdout goes to
 * stderr. Returns 0 or -errno.
 */
int starter_init(struct starter *st, const struct signals *s, bool aside);
/* Runs a shell command. Returns its process, or -errno. */
pid_t starter_run(struct starter *st, const char *text);
/*
 * Detaches the process, and the commands that it starts from now on, from the terminal.
 */
void starter_go_to_background(struct starter *st);
void starter_deinit(struct starter *st);

#endif
