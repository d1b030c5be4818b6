/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that compute values in handlers: a separate object, linked to scripts that
 * use any of them.
 */
#include "objects/core_values.c"
#include "kernel/access.c"
#include "kernel/regs.c"
#include "kernel/backtrace.c"
#include "core/printedstack.c"
#include "kernel/target.c"
