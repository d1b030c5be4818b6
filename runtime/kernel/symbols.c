/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's symbols as one unit: an object of its own, linked to scripts whose probes or variables are found by name. */
#include "kernel/names.c"
#include "kernel/symbol.c"
#include "kernel/variable.c"
