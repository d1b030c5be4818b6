/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of programs are brought: linked to scripts that read strings of programs. */
#include "kernel/pages.c"
