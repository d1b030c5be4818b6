/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of globals as text: linked to scripts of stap --globals. */
#include "core/snapshot.c"
#include "kernel/snapshotfile.c"
