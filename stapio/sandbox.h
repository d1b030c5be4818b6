/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Restricts stapio to the system calls for reading and writing open files. */
#ifndef STAPIO_SANDBOX_H
#define STAPIO_SANDBOX_H

#include <sys/types.h>

/*
 * Enters the filter. Call it before any thread is created, and after starting the
 * processes to which it must not apply. target: the only process to which signals can be
 * sent, or 0. Returns 0, or -errno if this kernel has no filters.
 */
int sandbox_enter(pid_t target);

#endif
