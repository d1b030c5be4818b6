/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The portable half of the runtime as one unit, but for what stands in core/setup.c and core/arrays.c; each file compiles alone too.
 * kernel/runtime.c and user/runtime.c add the other half. */
#include "core/arith.c"
#include "core/clock.c"
#include "core/context.c"
#include "core/hit.c"
#include "core/lock.c"
#include "core/output.c"
#include "core/overwrite.c"
#include "core/pretty.c"
#include "core/printf.c"
#include "core/record_format.c"
#include "core/ring.c"
#include "core/string.c"
#include "core/text.c"
