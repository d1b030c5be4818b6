/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the areas of address spaces: linked to scripts that do this. */
#include "kernel/areas.c"
