/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves stapio the system calls of reading, formatting and writing files, when
 * everything is open.
 */
#ifndef STAPIO_SANDBOX_H
#define STAPIO_SANDBOX_H

#include <sys/types.h>

/*
 * Enters the filter, before any thread is made and after the processes that are not to
 * be bound by it. target: the only process that signals can be sent to, or 0. Returns 0
 * or -errno: this kernel has no filters.
 */
int sandbox_enter(pid_t target);

#endif
