/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same, optimised. */
// cflags: -Wno-infinite-recursion -g -O2
#include "calls.c"
