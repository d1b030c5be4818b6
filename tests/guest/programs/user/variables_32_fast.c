/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variables.c at -O1: at -O2 a stack slot is named before anything is stored there. */
// arch: x86_64
// cflags: -m32 -idirafter /usr/include/x86_64-linux-gnu -g -O1 -Wno-unused-but-set-variable
// skip: no_32_bits
#include "variables.c"
