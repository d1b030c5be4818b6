/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Areas of address spaces one after the other: linked to scripts that walk them. */
#include "kernel/areas.c"
