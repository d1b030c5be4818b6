/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as namespaces have them: linked to scripts that ask. */
#include "kernel/namespaces.c"
