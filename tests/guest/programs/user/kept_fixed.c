/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept.c at the address that the linker has given it. */
// cflags: -g -O1 -no-pie -ldl -pthread
#include "kept.c"
