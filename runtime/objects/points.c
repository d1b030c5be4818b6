/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that scripts with points in the kernel need besides the hit protocol, as one unit:
 * throttling, tracking of tasks that sleep in handlers, the kernel's symbols, for probes
 * and variables that are found by name, and the family whose hits are the script's own.
 * It is one object, because most of its compilation is the kernel's headers; parts that a
 * script does not use are left out.
 */
#include "kernel/nametable.c"
#include "kernel/sleepers.c"
#include "kernel/symbol.c"
#include "kernel/throttle.c"
#include "kernel/variable.c"
#include "probe/tracepoint.c"
