/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the flame graph of an earlier run, for a comparison. */
#ifndef TRACE_SINK_FLAMEBASELINE_H
#define TRACE_SINK_FLAMEBASELINE_H

#include <stdbool.h>

struct stacks;

/* Adds its frames, with their totals in `before`. False: it failed and printed why. */
bool flamebaseline_read(struct stacks *t, const char *file);

#endif
