/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the areas of address spaces: linked to scripts that do so. */
#include "kernel/areas.c"
