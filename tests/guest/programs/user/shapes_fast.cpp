/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shapes.cpp, optimised. */
// cflags: -g -O2
#include "shapes.cpp"
