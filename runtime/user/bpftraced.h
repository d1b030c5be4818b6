/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions that this kernel can probe: a file may have been translated for
 * another one. The kernel refuses a list of names with one that it does not know, and
 * does not say which one.
 */
#ifndef STP_USER_BPFTRACED_H
#define STP_USER_BPFTRACED_H

#include <stdbool.h>

/*
 * Sets is_known[i] for each name that the kernel has, or can probe, if this user may read
 * the list of those. False: no list can be read.
 */
bool bpftraced_find(const char *const *names, unsigned n, bool *is_known);

#endif
