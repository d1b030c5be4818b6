/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flattened dump is one that could be written without seeking: pieces, each with its
 * offset and size, big-endian, behind a page of header. Not every libkdumpfile knows it.
 */
#ifndef TRACE_SOURCE_VMCORE_FLATTENED_H
#define TRACE_SOURCE_VMCORE_FLATTENED_H

#include <stdbool.h>

struct physical;

#define FLATTENED "makedumpfile"

/*
 * Puts a file that has no name, with the dump as it would be, in the place of a flattened
 * one; leaves others. False: it cannot be done, which has been reported.
 */
bool flattened_replace(struct physical *p);

#endif
