/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What handlers compute with: an object of its
 * own, linked to scripts that use anything of it.
 */
#include "objects/core_values.c"
#include "kernel/access.c"
#include "kernel/regs.c"
#include "kernel/backtrace.c"
#include "kernel/target.c"
