/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As last_even.c, with one byte more. */
#define LENGTHEN "nop\nnop\n"
#include "last_even.c"
