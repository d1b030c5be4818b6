/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code that every hit runs, as one unit, compiled once per kernel to runtime.o; each
 * of the files also compiles alone. Functions that compute values are in values.o, the
 * rest of the runtime in runtime_setup.o; the probe families are separate objects, linked
 * to scripts that use them.
 */
#include "objects/core.c"
#include "kernel/port.c"
