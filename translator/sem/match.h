/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matches probe points with aliases. '*' in a component matches any text without dots,
 * '**' matches any text.
 */
#ifndef STAP_MATCH_H
#define STAP_MATCH_H

#include <stdbool.h>

#include "ast/node.h"

/*
 * Returns the number of the point's components that match the alias's name; the rest are
 * suffixes for the alias's points. -1: no match.
 */
int match_alias(const struct point *p, const struct alias *a);

/* Checks quickly: false if no alias written like this can match. */
bool match_may(const struct point *p, const char *alias_text);

bool match_is_wildcard(const struct point *p);
/* True: the point has a wildcard that matches dots. */
bool match_is_deep(const struct point *p);
/* True: the point's names, as "ti**es", match `names`: "timer.jiffies". */
bool match_names(const struct point *p, const char *names);

#endif
