/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The portable code that every hit runs, as one unit; each file also compiles alone. The
 * rest of the portable half is in core_values.c, core_setup.c and core_arrays.c;
 * runtime.c here and user/runtime.c add the other half.
 */
#include "core/context.c"
#include "core/hit.c"
#include "core/lock.c"
#include "core/output.c"
#include "core/overwrite.c"
#include "core/ring.c"
