/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library plugin, which finds its thread-local variable by a descriptor, as every library does on arm64. Loaded later, it finds no room beside the program's own block. */
// cflags: -g -O1 -shared -fPIC
// cflags x86_64: -mtls-dialect=gnu2
#include "plugin.c"

__thread char much[1 << 16];
