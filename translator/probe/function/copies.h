/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of a function beside the one that BTF lists under its name: inlined into
 * callers, made by the compiler for some callers ("f.isra.0", "f.constprop.0"), or of the
 * same name in another source file.
 */
#ifndef STAP_PROBE_COPIES_H
#define STAP_PROBE_COPIES_H

#include "probe/function/function.h"

/*
 * Appends the copies that the points made from BTF, ret->data[before] and on, do not
 * stand for: all of them with debuginfo, without it those that have a symbol of their
 * own.
 */
void copies_add(const struct lookup *l, size_t before);

/*
 * Appends all copies of a function that BTF lacks. Returns false where there are none or
 * nothing tells of them; and where the known copies lack variables that the script wants,
 * but a successor of the function may have them.
 */
bool copies_only(const struct lookup *l);

/* Appends the copies that symbols show. */
bool copies_clones(const struct lookup *l);

#endif
