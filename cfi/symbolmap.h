/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the table of a map in which a process lists its generated code, in the format
 * that perf reads: lines "START SIZE NAME" with hexadecimal numbers. The table has only
 * symbols, those of the 4 GB around an address: Node.js also lists its own functions and
 * code for its interpreter, far from the code of the processor.
 */
#ifndef CFI_SYMBOLMAP_H
#define CFI_SYMBOLMAP_H

#include "cfi/programfile.h"

/* False: no line is of that form, or the file is too large. */
bool symbolmap_read(int fd, uint64_t near, const struct arch_unwind *arch, struct arena *a,
		    struct programfile *ret);

#endif
