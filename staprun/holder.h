/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the process that runs a module: the one that has its ctl open. */
#ifndef STAPRUN_HOLDER_H
#define STAPRUN_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

struct kmodule;

/* Returns 0 if no process that the caller can see has it open. */
pid_t holder_find(const struct kmodule *m);
/* True: that process has the module's ctl open. */
bool holder_has(pid_t pid, const struct kmodule *m);

#endif
