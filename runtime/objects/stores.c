/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes memory and arguments of the probed code: linked to scripts that write. */
#include "kernel/stores.c"
#include "kernel/setargs.c"
