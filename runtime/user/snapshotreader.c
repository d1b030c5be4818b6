/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's globals are read through its socket, not through a file. */
#include "core/snapshot.h"

const struct stp_snapshot_reader stp_snapshot_reader = { .write = stp_snapshot_write };
