/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts commands in a process of their own for stapio, which cannot do so itself
 * (sandbox.h): a filter of system calls binds all later processes as well. Commands are
 * stapio's children all the same.
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
 * Starts the process, before any thread is made. `aside`: what commands write to stdout
 * goes to stderr. Returns 0 or -errno.
 */
int starter_init(struct starter *st, const struct signals *s, bool aside);
/* Runs a shell command. Returns its process, or -errno. */
pid_t starter_run(struct starter *st, const char *text);
/*
 * Takes the terminal from the process, and from the commands that it starts from now on.
 */
void starter_go_to_background(struct starter *st);
void starter_deinit(struct starter *st);

#endif
