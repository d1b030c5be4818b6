/* SPDX-License-Identifier: GPL-2.0-or-later */
/* … and at returns of system calls. Linked to scripts that read strings there. */
#include "kernel/pages_return.c"
