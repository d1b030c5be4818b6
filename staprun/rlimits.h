/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resource limits: a user's must not end staprun
 * between loading a module and removing it.
 */
#ifndef STAPRUN_RLIMITS_H
#define STAPRUN_RLIMITS_H

#include <stdbool.h>

/* Raises limits as far as staprun needs; prints what cannot be had. */
bool rlimits_raise(void);
/*
 * Restores the limits in the child that becomes stapio, but leaves room for the files
 * that it gets. False: stapio cannot run with so little; the error has been printed.
 */
bool rlimits_restore(void);

#endif
