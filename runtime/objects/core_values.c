/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The portable functions that compute values in handlers, as one unit: scripts that only
 * print and count do not need them.
 */
#include "core/arith.c"
#include "core/clock.c"
#include "core/embedcalls.c"
#include "core/items.c"
#include "core/pretty.c"
#include "core/printf.c"
#include "core/record_format.c"
#include "core/string.c"
#include "core/text.c"
