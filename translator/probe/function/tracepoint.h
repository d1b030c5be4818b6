/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of $$name and $$system in a tracepoint probe. */
#ifndef STAP_PROBE_TRACEPOINT_H
#define STAP_PROBE_TRACEPOINT_H

#include "probe/probe.h"

struct derived;

/* NULL for probes of other families. */
const char *tracepoint_name(const struct derived *d);
/*
 * Returns the system as the kernel's headers have it, or else the script; NULL where
 * neither tells.
 */
const char *tracepoint_system(const struct derived *d);
/*
 * Returns the kernel's tracepoint of that name, for a point that names a function of
 * older kernels; probefunc() still returns the function's name.
 */
struct error *tracepoint_for_function(struct session *s, const struct point *p, const char *name,
				      derived_list *ret);

#endif
