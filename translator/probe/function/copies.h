/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of a function other than the one that BTF lists under its name: inlined into
 * callers, made by the compiler for some callers ("f.isra.0", "f.constprop.0"), or of the
 * same name in another source file.
 */
#ifndef STAP_PROBE_COPIES_H
#define STAP_PROBE_COPIES_H

#include "probe/function/function.h"

/*
 * Appends the copies that the points made from BTF, ret->data[before] and on, do not
 * cover: with debuginfo all of them, otherwise those with a separate symbol.
 */
void copies_add(const struct lookup *l, size_t before);

/*
 * Appends all copies of a function that BTF lacks. Returns false if there are none, or
 * none are known; also if the known copies lack variables that the script uses, but a
 * successor of the function may have them.
 */
bool copies_only(const struct lookup *l);

/* Appends the copies that symbols show. */
bool copies_clones(const struct lookup *l);

#endif
