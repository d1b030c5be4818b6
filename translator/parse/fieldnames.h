/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for the values that a print writes, for readers that take records as data:
 * printf("pid=%d %s", pid(), execname()) has the fields pid and execname. stap.1, FIELDS,
 * has the rules.
 */
#ifndef STAP_FIELDNAMES_H
#define STAP_FIELDNAMES_H

#include "ast/node.h"

struct arena;

/*
 * Returns the names of the arguments of a print, each followed by a tab. An argument that
 * gives a width or a precision has the name "*".
 */
const char *fieldnames_of(struct arena *a, const struct node *print);
/* Returns "99_9" for 99.9 %. */
const char *fieldnames_percentage(struct arena *a, int64_t millionths);

#endif
