/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who runs a module: the process that has its ctl open. */
#ifndef STAPRUN_HOLDER_H
#define STAPRUN_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

/* 0: nobody who can be seen. */
pid_t holder_find(const char *name);
/* That process has it open. */
bool holder_has(pid_t pid, const char *name);

#endif
