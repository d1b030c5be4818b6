/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that another file takes the place of: replaced.sh. */
// cflags: -Wno-infinite-recursion
#include "calls.c"
