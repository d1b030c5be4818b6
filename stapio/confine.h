/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confines this process to the directories of its output by Landlock (Linux 5.13): files
 * can be created, written, renamed and removed only there. The filter of system calls
 * (sandbox.h) cannot see names. Open files stay open.
 */
#ifndef STAPIO_CONFINE_H
#define STAPIO_CONFINE_H

#include <stdbool.h>

struct confine {
	int ruleset; /* -1: the kernel does not support it */
};

void confine_init(struct confine *c);
/* Allows files in this directory, and below. */
void confine_allow(struct confine *c, int dir);
/*
 * Enters the confinement, once, for the calling thread and those that it creates later.
 * Returns 0 or -errno.
 */
int confine_enter(struct confine *c);

#endif
