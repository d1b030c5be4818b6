/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints that stand for functions of older kernels. */
#ifndef STAP_PROBE_TRACEPOINT_H
#define STAP_PROBE_TRACEPOINT_H

#include "probe/probe.h"

struct derived;

/*
 * Returns the kernel's tracepoint of that name, for a point that names a function of
 * older kernels; probefunc() still returns the function's name.
 */
struct error *tracepoint_for_function(struct session *s, const struct point *p, const char *name,
				      derived_list *ret);

#endif
