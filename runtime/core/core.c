/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The portable half of the runtime as one unit; each file compiles alone too. kernel/runtime.c and
 * user/runtime.c add the other half. */
#include "core/arith.c"
#include "core/books.c"
#include "core/clock.c"
#include "core/context.c"
#include "core/hist.c"
#include "core/hit.c"
#include "core/iter.c"
#include "core/lock.c"
#include "core/map.c"
#include "core/output.c"
#include "core/printf.c"
#include "core/record_format.c"
#include "core/ring.c"
#include "core/session.c"
#include "core/stat.c"
#include "core/string.c"
