/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading tables as one unit: an object of its own, linked to scripts that carry some. */
#include "core/program_table.c"
