/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same code, which does the same for others. */
#define WORK coming_work
#include "going.c"
