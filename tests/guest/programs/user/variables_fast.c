/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variables.c with other options. */
// cflags: -g -O2 -Wno-unused-but-set-variable
#include "variables.c"
