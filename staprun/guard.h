/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that does nothing but remove the module when staprun itself was killed. */
#ifndef STAPRUN_GUARD_H
#define STAPRUN_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct guard {
	int fd;
	pid_t pid;
};

/* Before the module is loaded. Prints what is wrong. */
bool guard_start(struct guard *g, const char *name, uid_t owner);
/* The module is in: from now on it goes whatever state it is in. */
void guard_loaded(const struct guard *g);
/* staprun has seen to the module. */
void guard_end(const struct guard *g);

#endif
