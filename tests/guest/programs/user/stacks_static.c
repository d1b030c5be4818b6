/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same, linked with nothing. */
// cflags: -static -O2 -g0 -fomit-frame-pointer
#include "stacks.c"
