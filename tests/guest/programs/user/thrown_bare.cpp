/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thrown.cpp without debuginfo. */
// cflags: -g0 -O2 -pthread
#include "thrown.cpp"
