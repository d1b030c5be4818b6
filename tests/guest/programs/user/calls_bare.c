/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same, without debuginfo, at a fixed address. */
// cflags: -Wno-infinite-recursion -O2 -g0 -no-pie -fno-pie
#include "calls.c"
