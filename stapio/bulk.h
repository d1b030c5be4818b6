/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves -b: while the script runs, the records of each CPU go to a raw file of its own
 * as they are; only warnings, errors and commands are looked at. At the end the files
 * are joined to the output and removed, unless they are to stay (-M).
 */
#ifndef STAPIO_BULK_H
#define STAPIO_BULK_H

#include <stdbool.h>

#include "trace/merge.h"
#include "trace/source/raw.h"

struct options;
struct run;

struct bulk {
	const struct merge_ops *ops; /* with the run for ctx, as merging has them */
	struct raw raw;
	char *pattern, *buf;
};

/* Returns 0, or -1 when an error has been reported. The ops stay the caller's. */
int bulk_setup(struct run *r, const struct options *o, const struct merge_ops *ops);
/*
 * Reads once from each ring. Returns how many records there were, as merge_round(); -1:
 * the stream is broken or a file could not be made, which has been reported.
 */
long bulk_round(struct run *r);
/*
 * Ends the files and joins them to the output. False: not everything could be written,
 * which has been reported.
 */
bool bulk_finish(struct run *r, const struct options *o);

#endif
