/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads tables, as one unit: a separate object, linked to scripts that have tables. */
#include "core/program_table.c"
