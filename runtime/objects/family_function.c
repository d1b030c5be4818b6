/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family of functions, whose files are in a folder, as one unit. */
#include "probe/function/handlers.c"
#include "probe/function/entries.c"
#include "probe/function/kprobes.c"
#include "probe/function/function.c"
