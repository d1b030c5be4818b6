/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads pages of programs: linked to scripts that read strings of programs. */
#include "kernel/pages.c"
