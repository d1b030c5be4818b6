/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variables.c with other options: at -O2 the compiler names a stack slot before it stores there, and debuggers are misled as probes are. */
// arch: x86_64
// cflags: -m32 -idirafter /usr/include/x86_64-linux-gnu -g -O1 -Wno-unused-but-set-variable
// skip: no_32_bits
#include "variables.c"
