/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that staprun runs: they are installed with it. */
#ifndef STAPRUN_SIBLINGS_H
#define STAPRUN_SIBLINGS_H

#include <limits.h>
#include <stdbool.h>

/*
 * Finds a program beside staprun, or in ../libexec/stap, where only root can have put
 * it, unless the caller is root. False: a message has said why not.
 */
bool siblings_find(const char *program, char path[PATH_MAX]);

#endif
