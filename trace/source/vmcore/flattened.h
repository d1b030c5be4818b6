/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flattened dump is one that was written without seeking: a page of header, then
 * pieces, each with its offset and size, big-endian. Not every libkdumpfile can read it.
 */
#ifndef TRACE_SOURCE_VMCORE_FLATTENED_H
#define TRACE_SOURCE_VMCORE_FLATTENED_H

#include <stdbool.h>

struct physical;

#define FLATTENED "makedumpfile"

/*
 * Replaces a flattened dump by an unnamed file with the restored dump; leaves others
 * alone. False: it failed, which was reported.
 */
bool flattened_replace(struct physical *p);

#endif
