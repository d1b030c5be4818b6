/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same at a fixed address, with no names but those that libraries may use. */
// cflags: -s -rdynamic -no-pie -fno-pie -O2 -g0 -fomit-frame-pointer
#include "stacks.c"
