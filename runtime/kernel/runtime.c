/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What handlers run, as one unit, compiled once per kernel to runtime.o; each of the files compiles alone too. The rest of the
 * runtime is in runtime_setup.o; the probe families are objects of their own, linked to scripts that use them.
 */
#include "core/core.c"
#include "kernel/port.c"
#include "kernel/access.c"
#include "kernel/regs.c"
#include "kernel/backtrace.c"
#include "kernel/target.c"
#include "kernel/throttle.c"
