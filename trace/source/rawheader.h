/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of raw files and streams (uapi/rawfile.h). */
#ifndef TRACE_SOURCE_RAWHEADER_H
#define TRACE_SOURCE_RAWHEADER_H

#include <stdint.h>

#include "uapi/rawfile.h"

struct tables;

/* Returns the number of bytes before the first record, without padding. */
uint64_t rawheader_bytes(const char *module, const char *host, const struct tables *t);
/*
 * Returns the header for all files and streams of a run that begins now, without ring and
 * part. The bytes before the first record are less than 2 GiB.
 */
struct raw_header rawheader_make(const char *module, const char *host, const struct tables *t,
				 uint32_t nrings);

#endif
