/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a map that a process writes of code that it makes, as perf reads them:
 * lines "START SIZE NAME", both numbers hexadecimal. It has symbols alone.
 */
#ifndef CFI_SYMBOLMAP_H
#define CFI_SYMBOLMAP_H

#include "cfi/programfile.h"

/* False: no line is of that form, or the file is too large. */
bool symbolmap_read(int fd, const struct arch_unwind *arch, struct arena *a,
		    struct programfile *ret);

#endif
