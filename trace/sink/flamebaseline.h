/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the picture of an earlier run, which a flame graph is compared with. */
#ifndef TRACE_SINK_FLAMEBASELINE_H
#define TRACE_SINK_FLAMEBASELINE_H

#include <stdbool.h>

struct stacks;

/* Adds its frames, with `before` for their totals. False: it cannot, and says why. */
bool flamebaseline_read(struct stacks *t, const char *file);

#endif
