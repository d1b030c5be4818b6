/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of addresses: linked to scripts that carry tables of them. */
#include "kernel/sourceline.c"
