/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that starts commands for stapio, which cannot do so itself (sandbox.h):
 * what a filter of system calls forbids, it forbids to all that comes after. Commands are
 * stapio's children all the same.
 */
#ifndef STAPIO_STARTER_H
#define STAPIO_STARTER_H

#include <stddef.h>
#include <sys/types.h>

struct signals;

struct starter {
	int fd; /* -1: there is none */
	pid_t pid;
};

/* Before any thread is made. 0 or -errno. */
int starter_init(struct starter *st, const struct signals *s);
/* Runs a shell command; its process, or -errno. */
pid_t starter_run(struct starter *st, const char *text);
/* It, and the commands that it starts from now on, have no terminal. */
void starter_go_to_background(struct starter *st);
void starter_deinit(struct starter *st);

#endif
