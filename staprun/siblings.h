/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that staprun runs: they are installed with it. */
#ifndef STAPRUN_SIBLINGS_H
#define STAPRUN_SIBLINGS_H

#include <limits.h>
#include <stdbool.h>

/*
 * Finds a program next to staprun, or in ../libexec/stap. Only root may have been able to
 * put it there, unless the caller is root. False: the error was printed.
 */
bool siblings_find(const char *program, char path[PATH_MAX]);

#endif
