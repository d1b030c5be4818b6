/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrappers of functions: linked to scripts that have one. */
#include "probe/function/wrappers.c"
