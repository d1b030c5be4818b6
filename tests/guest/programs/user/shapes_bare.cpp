/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shapes.cpp without debuginfo. */
// cflags: -g0 -O2
#include "shapes.cpp"
