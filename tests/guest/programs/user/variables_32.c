/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variables.c with other options. */
// arch: x86_64
// cflags: -m32 -idirafter /usr/include/x86_64-linux-gnu -g -O0 -Wno-unused-but-set-variable
// skip: no_32_bits
#include "variables.c"
