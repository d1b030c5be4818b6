/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of globals as text: see api/snapshot.h. */
#ifndef STP_SNAPSHOT_H
#define STP_SNAPSHOT_H

#include "api.h"

bool stp_snapshot_write(void (*put)(void *ctx, const char *text), void *ctx) __attribute__((cold));

#endif
