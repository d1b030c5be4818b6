/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fnmatch() with its common case in front: most names differ before the first wildcard. */
#include "base/glob.h"

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
	if (g->literal)
		return !strcmp(g->pattern, name);
	return !strncmp(g->pattern, name, g->prefix) && !fnmatch(g->pattern + g->prefix, name + g->prefix, 0);
}
