/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code that no handler runs: loading and unloading, the control files, starting and
 * stopping, begin and end probes. It is a third of a small module, so it is compiled for
 * size (translator/build/objects.c).
 */
#include "objects/core_setup.c"
#include "kernel/control.c"
#include "kernel/crash.c"
#include "kernel/deferral.c"
#include "kernel/loading.c"
#include "kernel/packed.c"
#include "kernel/process_number.c"
#include "kernel/ringfile.c"
#include "kernel/taskfilter.c"
#include "probe/lifecycle.c"
