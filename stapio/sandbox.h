/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls that stapio is left with when everything
 * is open: those of reading, formatting and writing files.
 */
#ifndef STAPIO_SANDBOX_H
#define STAPIO_SANDBOX_H

#include <sys/types.h>

/*
 * Before any thread is made; after the processes that are not to be bound by it.
 * target: the only process that signals can be sent to, or 0. 0 or -errno: this kernel
 * has no filters.
 */
int sandbox_enter(pid_t target);

#endif
