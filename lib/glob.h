/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matches names with the wildcards * ? [...]. A name that contains such characters, as
 * some Go names do, matches itself.
 */
#ifndef LIB_GLOB_H
#define LIB_GLOB_H

#include <stdbool.h>
#include <stddef.h>

bool glob_is(const char *pattern);

/*
 * A pattern prepared for a scan of many names: it first compares the text before the
 * first wildcard.
 */
struct glob {
	const char *pattern;
	size_t prefix;
	bool literal;
};
struct glob glob_make(const char *pattern);
bool glob_match(const struct glob *g, const char *name);

/* True: the pattern matches the whole path, or the end of it that follows a '/'. */
bool glob_path_ends(const char *pattern, const char *path);

#endif
