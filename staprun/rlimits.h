/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resource limits: a user's must not end staprun
 * between loading a module and removing it.
 */
#ifndef STAPRUN_RLIMITS_H
#define STAPRUN_RLIMITS_H

#include <stdbool.h>

/* As high as staprun needs them; prints what cannot be had. */
bool rlimits_raise(void);
/*
 * As they were, in the child that becomes stapio; but the files that it gets stay open to
 * it. False: it cannot run with so little, and that has been said.
 */
bool rlimits_restore(void);

#endif
