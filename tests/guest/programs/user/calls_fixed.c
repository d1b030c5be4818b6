/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c with all of its libraries in it, at the address that the linker has given it. */
// cflags: -Wno-infinite-recursion -g -O0 -static -no-pie
#include "calls.c"
