/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/match.h"

#include <fnmatch.h>
#include <string.h>

static bool same_argument(const struct component *a, const struct component *b)
{
	if (a->arg_kind != b->arg_kind)
		return false;
	if (a->arg_kind == ARG_STRING)
		return !strcmp(a->string, b->string);
	return a->arg_kind == ARG_NONE || a->number == b->number;
}

static bool same_component(const struct component *pattern, const struct component *c)
{
	return same_argument(pattern, c) && !fnmatch(pattern->name, c->name, 0);
}

/* All of the alias's components from i on, against the pattern's from k on; ** takes one or more. */
static bool match_from(const struct point *p, size_t k, const struct alias *a, size_t i)
{
	if (k == p->components.count || i == a->name.count)
		return k == p->components.count && i == a->name.count;
	if (strstr(p->components.data[k].name, "**")) {
		if (p->components.data[k].arg_kind != ARG_NONE)
			return false;
		if (fnmatch(p->components.data[k].name, a->name.data[i].name, 0))
			return false;
		return match_from(p, k + 1, a, i + 1) || (i + 1 < a->name.count && match_from(p, k, a, i + 1));
	}
	return same_component(&p->components.data[k], &a->name.data[i]) && match_from(p, k + 1, a, i + 1);
}

bool match_is_wildcard(const struct point *p)
{
	for (size_t i = 0; i < p->components.count; i++)
		if (strchr(p->components.data[i].name, '*'))
			return true;
	return false;
}

int match_alias(const struct point *p, const struct alias *a)
{
	if (match_from(p, 0, a, 0))
		return (int)p->components.count;
	if (a->name.count >= p->components.count || match_is_wildcard(p))
		return -1;
	for (size_t i = 0; i < a->name.count; i++)
		if (!same_component(&p->components.data[i], &a->name.data[i]))
			return -1;
	return (int)a->name.count;
}

bool match_may(const struct point *p, const char *alias_text)
{
	const struct component *first = &p->components.data[0];
	size_t len = strcspn(alias_text, ".( ");
	char name[128];

	if (len >= sizeof(name))
		return true;
	memcpy(name, alias_text, len);
	name[len] = 0;
	return !fnmatch(first->name, name, 0);
}
