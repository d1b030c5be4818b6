/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of processes and users in namespaces: linked to scripts that use them. */
#include "kernel/namespaces.c"
