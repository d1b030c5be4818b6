/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same as a file of its own, which a test takes away. */
// cflags: -O2 -g0 -fomit-frame-pointer
#include "stacks.c"
