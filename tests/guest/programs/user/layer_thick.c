/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -shared -fPIC -O2 -g0 -fomit-frame-pointer
#define THROUGH through_thick
#define ROOM	3000
#include "layer_thin.c"
