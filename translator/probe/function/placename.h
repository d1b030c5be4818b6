/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of functions without debuginfo, although only debuginfo has files: "f@fs/x.c" is
 * the function f, and "vfs_*@fs/x.c" are those that a table has for the file.
 */
#ifndef STAP_PROBE_FUNCTION_PLACENAME_H
#define STAP_PROBE_FUNCTION_PLACENAME_H

#include "probe/function/function.h"

struct error;
struct hashmap;

/*
 * Sets *ret to the name or pattern that replaces the place l->pattern, or to NULL:
 * debuginfo must find it. If `names` is not empty afterwards, only those of its matches
 * count.
 */
struct error *placename_find(const struct lookup *l, struct hashmap *names, const char **ret);
/* Keeps the points from ret->data[before] on that are among the names. */
struct error *placename_keep(const struct lookup *l, const struct hashmap *names, size_t before);

#endif
