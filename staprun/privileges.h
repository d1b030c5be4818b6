/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What staprun may do, and when it stops being able to. While it is privileged it reads no environment, runs
 * nothing, and looks up no name in PATH. The parent keeps what removing the module takes; the child that
 * becomes stapio keeps nothing.
 */
#ifndef STAPRUN_PRIVILEGES_H
#define STAPRUN_PRIVILEGES_H

#include <stdbool.h>

/* First of all: descriptors 0-2 are open, the environment is put aside (*environment), no core is dumped. */
bool privileges_prepare(char ***environment);
/* Prints who may run this. */
bool privileges_check(void);
/* In the child: the invoking user, and no capability. */
bool privileges_drop(void);
/* In the parent: CAP_SYS_MODULE to remove the module and CAP_KILL to pass signals on. */
bool privileges_reduce(void);

#endif
