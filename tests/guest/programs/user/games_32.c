/* SPDX-License-Identifier: GPL-2.0-or-later */
/* games.c for 32 bits. */
// arch: x86_64
// cflags: -m32 -idirafter /usr/include/x86_64-linux-gnu -g -O1
// skip: no_32_bits
#include "games.c"
