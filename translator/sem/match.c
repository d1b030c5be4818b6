/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/match.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "probe/probe.h"

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

/* Joins names to "a.b.c". False: it does not fit. */
static bool join_names(const struct component *c, size_t count, char *ret, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < count && len < size; i++)
		len += (size_t)snprintf(ret + len, size - len, "%s%s", i ? "." : "", c[i].name);
	return len < size;
}

#define NAMES_SIZE 256

/*
 * Adds a place of the pattern, and the place after a wildcard, which may match nothing.
 */
static void match_go_on(const char *pattern, size_t at, bool *places)
{
	while (!places[at]) {
		places[at] = true;
		if (pattern[at] == '*')
			at += pattern[at + 1] == '*' ? 2 : 1;
	}
}

/*
 * Matches text: one '*' stays within a component, "**" also matches dots. Scans the text
 * once, with all possible places in the pattern: trying one after the other would take
 * for ever with many wildcards. The pattern has fewer than NAMES_SIZE characters.
 */
static bool match_text(const char *pattern, const char *text)
{
	bool places[NAMES_SIZE] = { false }, next[NAMES_SIZE];
	size_t length = strlen(pattern);

	match_go_on(pattern, 0, places);
	for (; *text; text++) {
		memset(next, 0, length + 1);
		for (size_t i = 0; i < length; i++) {
			if (!places[i])
				continue;
			if (pattern[i] != '*' && pattern[i] == *text)
				match_go_on(pattern, i + 1, next);
			if (pattern[i] == '*' && (*text != '.' || pattern[i + 1] == '*'))
				match_go_on(pattern, i, next);
		}
		memcpy(places, next, length + 1);
	}
	return places[length];
}

static bool has_arguments(const struct point *p)
{
	for (size_t i = 0; i < p->components.count; i++)
		if (p->components.data[i].arg_kind != ARG_NONE)
			return true;
	return false;
}

bool match_names(const struct point *p, const char *names)
{
	char pattern[NAMES_SIZE];

	return join_names(p->components.data, p->components.count, pattern, sizeof(pattern)) &&
	       match_text(pattern, names);
}

static bool match_whole(const struct point *p, const struct alias *a)
{
	char pattern[NAMES_SIZE], name[NAMES_SIZE];

	if (has_arguments(p) ||
	    !join_names(p->components.data, p->components.count, pattern, sizeof(pattern)) ||
	    !join_names(a->name.data, a->name.count, name, sizeof(name)))
		return false;
	return match_text(pattern, name);
}

static bool match_all(const struct point *p, const struct alias *a)
{
	if (p->components.count != a->name.count)
		return false;
	for (size_t i = 0; i < a->name.count; i++)
		if (!same_component(&p->components.data[i], &a->name.data[i]))
			return false;
	return true;
}

bool match_is_wildcard(const struct point *p)
{
	for (size_t i = 0; i < p->components.count; i++)
		if (strchr(p->components.data[i].name, '*'))
			return true;
	return false;
}

bool match_is_deep(const struct point *p)
{
	for (size_t i = 0; i < p->components.count; i++)
		if (strstr(p->components.data[i].name, "**"))
			return true;
	return false;
}

/*
 * True: the wildcard extends past the alias's name, because its part of the pattern is
 * more than '*' and a word of points follows.
 */
static bool is_suffix(const struct point *p, size_t taken)
{
	size_t n = 0, stars = 0;

	if (!match_is_wildcard(p))
		return true;
	for (size_t i = 0; i < taken; i++) {
		n += strlen(p->components.data[i].name);
		for (const char *c = p->components.data[i].name; *c; c++)
			stars += *c == '*';
	}
	for (const char *const *word = probe_words; n > stars && *word; word++)
		if (!fnmatch(p->components.data[taken].name, *word, 0))
			return true;
	return false;
}

int match_alias(const struct point *p, const struct alias *a)
{
	if (match_is_wildcard(p) ? match_whole(p, a) : match_all(p, a))
		return (int)p->components.count;
	if (a->name.count >= p->components.count)
		return -1;
	for (size_t i = 0; i < a->name.count; i++)
		if (!same_component(&p->components.data[i], &a->name.data[i]))
			return -1;
	return is_suffix(p, a->name.count) ? (int)a->name.count : -1;
}

bool match_may(const struct point *p, const char *alias_text)
{
	const struct component *first = &p->components.data[0];
	size_t len = strcspn(alias_text, ".( ");
	char name[128];

	if (len >= sizeof(name) || strstr(first->name, "**"))
		return true;
	memcpy(name, alias_text, len);
	name[len] = 0;
	return !fnmatch(first->name, name, 0);
}
