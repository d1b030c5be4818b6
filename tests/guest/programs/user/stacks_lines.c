/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same with debuginfo. */
// cflags: -O2 -g -fomit-frame-pointer
#include "stacks.c"
