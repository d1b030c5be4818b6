/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process whose only task is to remove the module if staprun is killed. */
#ifndef STAPRUN_GUARD_H
#define STAPRUN_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct guard {
	int fd;
	pid_t pid;
};

/* Starts the guard before the module is loaded. Prints errors. */
bool guard_start(struct guard *g, const char *name, uid_t owner);
/* Tells the guard that the module is loaded, and must be removed in any state. */
void guard_loaded(const struct guard *g);
/* Tells the guard that staprun has removed the module, or that the module must stay. */
void guard_end(const struct guard *g);

#endif
