/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where this process may still make, write, rename and remove files: in the directories
 * of its output, by Landlock (Linux 5.13). The filter of system calls (sandbox.h) sees
 * no names. What is open stays open.
 */
#ifndef STAPIO_CONFINE_H
#define STAPIO_CONFINE_H

#include <stdbool.h>

struct confine {
	int ruleset; /* -1: the kernel does not know how */
};

void confine_init(struct confine *c);
/* Files directly in this directory, and below. */
void confine_allow(struct confine *c, int dir);
/*
 * From now on, for the thread that calls it and those that it makes. Once. 0 or -errno.
 */
int confine_enter(struct confine *c);

#endif
