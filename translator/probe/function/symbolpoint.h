/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that only symbols name, with a dot: the parts that the compiler makes of a
 * function ("f.part.0", "f.cold"), and its copies of one ("f.isra.0", "f.constprop.0").
 * A name or pattern with a dot means them. Without debuginfo they have no variables.
 */
#ifndef STAP_PROBE_SYMBOLPOINT_H
#define STAP_PROBE_SYMBOLPOINT_H

#include "probe/function/function.h"

/* True: l->pattern can mean such functions. */
bool symbolpoint_is_meant(const struct lookup *l);
/*
 * Appends the points of the kernel, or of the modules. If there are none, returns the
 * reason why they cannot be probed, or `absent`.
 */
struct error *symbolpoint_add(const struct lookup *l, struct error *absent);

#endif
