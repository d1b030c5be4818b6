/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of processes and users in namespaces: linked to scripts that ask for them. */
#include "kernel/namespaces.c"
