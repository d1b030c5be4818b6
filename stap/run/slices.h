/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether a script prints slices: records with a beginning and an end. */
#ifndef STAP_RUN_SLICES_H
#define STAP_RUN_SLICES_H

#include <stdbool.h>

struct program;

/* True: a print has a field `slice`, as --to perfetto requires. */
bool slices_are_printed(const struct program *p);

#endif
