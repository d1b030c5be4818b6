/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that only removes the module when staprun itself was killed. */
#ifndef STAPRUN_GUARD_H
#define STAPRUN_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct guard {
	int fd;
	pid_t pid;
};

/* Starts the guard before the module is loaded. Prints what is wrong. */
bool guard_start(struct guard *g, const char *name, uid_t owner);
/*
 * Tells the guard that the module is loaded, and is to be removed whatever state it is
 * in.
 */
void guard_loaded(const struct guard *g);
/* Tells the guard that staprun has removed the module, or means it to stay. */
void guard_end(const struct guard *g);

#endif
