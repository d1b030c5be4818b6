/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -b: while the script runs, what the CPUs write goes as it is to a raw file each; only
 * warnings, errors and commands are looked at. At the end the files are joined to the
 * output and removed, unless they are to stay (-M).
 */
#ifndef STAPIO_BULK_H
#define STAPIO_BULK_H

#include <stdbool.h>

#include "stapio/raw.h"

struct options;
struct run;

struct bulk {
	struct raw raw;
	char *pattern, *buf;
};

/* 0, or -1: it has been reported. */
int bulk_setup(struct run *r, const struct options *o);
/*
 * As merge_round(): how many records there were; -1: the stream
 * is broken or a file could not be made, which has been reported.
 */
long bulk_round(struct run *r);
/*
 * Ends the files; joins them to the output. False: not
 * everything could be written, which has been reported.
 */
bool bulk_finish(struct run *r, const struct options *o);

#endif
