/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays and aggregates: linked to scripts that have them. */
#include "objects/core_arrays.c"
#include "kernel/growth.c"
