/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of raw files and streams (uapi/rawfile.h). */
#ifndef TRACE_SOURCE_RAWHEADER_H
#define TRACE_SOURCE_RAWHEADER_H

#include <stdint.h>

#include "uapi/rawfile.h"

struct tables;

/* Returns how many bytes stand before the first record, but for padding. */
uint64_t rawheader_bytes(const char *module, const char *host, const struct tables *t);
/*
 * Returns a header as it is for all files and streams of a run that begins now; its ring
 * and part are not set. All that stands before the first record is less than 2 GiB.
 */
struct raw_header rawheader_make(const char *module, const char *host, const struct tables *t,
				 uint32_t nrings);

#endif
