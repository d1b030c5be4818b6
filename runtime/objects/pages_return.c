/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads pages of programs at returns of system calls: linked to scripts that read strings
 * there.
 */
#include "kernel/pages_return.c"
