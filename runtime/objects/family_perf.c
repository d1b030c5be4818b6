/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family of counters and watched memory, as one unit. */
#include "probe/watchpoint.c"
#include "probe/perf.c"
