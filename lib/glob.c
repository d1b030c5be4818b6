/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fnmatch() with a quick check for the common case first: most names differ before the
 * first wildcard.
 */
#include "lib/glob.h"

#include <fnmatch.h>
#include <string.h>

bool glob_is(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

struct glob glob_make(const char *pattern)
{
	size_t prefix = strcspn(pattern, "*?[\\");

	return (struct glob){ pattern, prefix, !pattern[prefix] };
}

bool glob_match(const struct glob *g, const char *name)
{
	if (!strcmp(g->pattern, name))
		return true;
	return !g->literal && !strncmp(g->pattern, name, g->prefix) &&
	       !fnmatch(g->pattern + g->prefix, name + g->prefix, 0);
}

bool glob_path_ends(const char *pattern, const char *path)
{
	size_t len = strlen(pattern), path_len = strlen(path);

	if (!glob_is(pattern))
		return len <= path_len && !strcmp(path + path_len - len, pattern) &&
		       (len == path_len || path[path_len - len - 1] == '/');
	for (const char *rest = path; rest; rest = strchr(rest, '/') ? strchr(rest, '/') + 1 : NULL)
		if (!fnmatch(pattern, rest, 0))
			return true;
	return false;
}
