/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resource limits: those of a user must not end staprun between loading a module and
 * removing it.
 */
#ifndef STAPRUN_RLIMITS_H
#define STAPRUN_RLIMITS_H

#include <stdbool.h>

/* Raises the limits that staprun needs. Prints those that it cannot raise. */
bool rlimits_raise(void);
/*
 * Restores the limits in the child that becomes stapio, but leaves room for the files
 * that it gets. False: they are too low for stapio; the error was printed.
 */
bool rlimits_restore(void);

#endif
