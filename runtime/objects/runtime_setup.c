/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What no handler runs: loading and unloading, the control files, starting and stopping,
 * begin and end probes. A third of a small module, so compiled for size
 * (translator/build/objects.c).
 */
#include "objects/core_setup.c"
#include "kernel/control.c"
#include "kernel/late.c"
#include "kernel/loading.c"
#include "kernel/packed.c"
#include "kernel/process_number.c"
#include "probe/marker.c"
