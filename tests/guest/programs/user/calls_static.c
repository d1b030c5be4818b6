/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c with all of its libraries in it, at an address that the kernel chooses. */
// cflags: -Wno-infinite-recursion -g -O0 -static-pie -fPIE
#include "calls.c"
