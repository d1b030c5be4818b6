/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a probe point mean an alias? '*' in a component
 * stands for any text without dots, '**' for any text.
 */
#ifndef STAP_MATCH_H
#define STAP_MATCH_H

#include <stdbool.h>

#include "ast/node.h"

/*
 * How many of the point's components the alias's name takes
 * (the rest are suffixes for what it stands for); -1: no match.
 */
int match_alias(const struct point *p, const struct alias *a);

/* Quick: false when no alias written like this can match. */
bool match_may(const struct point *p, const char *alias_text);

bool match_is_wildcard(const struct point *p);
/* One that goes over dots is among them. */
bool match_is_deep(const struct point *p);
/* The point's names, as "ti**es", mean these: "timer.jiffies". */
bool match_names(const struct point *p, const char *names);

#endif
