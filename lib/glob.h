/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names with the wildcards * ? [...]. A name that has such characters itself, as some of
 * Go, matches itself.
 */
#ifndef LIB_GLOB_H
#define LIB_GLOB_H

#include <stdbool.h>
#include <stddef.h>

bool glob_is(const char *pattern);

/*
 * A prepared pattern for a scan over many names: the text before the first wildcard is
 * compared first.
 */
struct glob {
	const char *pattern;
	size_t prefix;
	bool literal;
};
struct glob glob_make(const char *pattern);
bool glob_match(const struct glob *g, const char *name);

/* True: the whole path matches the pattern, or its end does from a '/' on. */
bool glob_path_ends(const char *pattern, const char *path);

#endif
