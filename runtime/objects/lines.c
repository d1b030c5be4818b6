/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of addresses: linked to scripts with tables of lines. */
#include "kernel/sourceline.c"
