/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drift/drift.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#define ROW(of, old, now, since, commit, story) { of, old, now, since, commit, story },

static const struct drift members[] = {
#include "drift/members.def"
};
static const struct drift functions[] = {
#include "drift/functions.def"
};
static const struct drift parameters[] = {
#include "drift/parameters.def"
};
static const struct drift tracepoints[] = {
#include "drift/tracepoints.def"
};
static const struct drift types[] = {
#include "drift/types.def"
};
static const struct drift variables[] = {
#include "drift/variables.def"
};
static const struct drift places[] = {
#include "drift/places.def"
};
static const struct drift markers[] = {
#include "drift/markers.def"
};

static const struct drift *find(const struct drift *rows, size_t count, const char *of,
				const char *old)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].old, old) && (!of || !strcmp(rows[i].of, of)))
			return &rows[i];
	return NULL;
}

const struct drift *drift_member(const char *type, const char *old)
{
	return find(members, COUNT(members), type, old);
}

/*
 * Returns the part of name that the '*' at the end, or at the beginning, of a row's name
 * stands for; NULL: the row does not match.
 */
static const char *stem_of(struct arena *a, const char *row, const char *name)
{
	size_t len = strlen(name), n = strlen(row) - 1;

	if (len < n)
		return NULL;
	if (row[n] == '*' && !strncmp(row, name, n))
		return name + n;
	return *row == '*' && !strcmp(name + len - n, row + 1) ? arena_strndup(a, name, len - n)
							       : NULL;
}

/*
 * Rows by name, and rows with '*' in the table's order. The index pays: every function
 * that a script names is looked up here, if only to tell that most callers go past it.
 */
static const struct drift *by_name[COUNT(functions)], *patterns[COUNT(functions)];
static size_t npatterns;

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct drift *const *)a)->old,
		      (*(const struct drift *const *)b)->old);
}

static void index_functions(void)
{
	for (size_t i = 0; i < COUNT(functions); i++) {
		by_name[i] = &functions[i];
		if (strchr(functions[i].old, '*'))
			patterns[npatterns++] = &functions[i];
	}
	qsort(by_name, COUNT(functions), sizeof(*by_name), compare_names);
}

static const struct drift *find_function(const char *old)
{
	const struct drift key = { .old = old }, *wanted = &key, **found;

	if (!npatterns)
		index_functions();
	found = bsearch(&wanted, by_name, COUNT(functions), sizeof(*by_name), compare_names);
	return found ? *found : NULL;
}

const struct drift *drift_function(struct arena *a, const char *old, const char **now)
{
	const struct drift *d = find_function(old);

	if (d) {
		*now = d->now;
		return d;
	}
	for (size_t i = 0; i < npatterns; i++) {
		const char *row = patterns[i]->now, *stem = stem_of(a, patterns[i]->old, old);

		if (!stem)
			continue;
		*now = row ? arena_printf(a, "%.*s%s%s", (int)strcspn(row, "*"), row, stem,
					  row + strcspn(row, "*") + 1)
			   : NULL;
		return patterns[i];
	}
	return NULL;
}

const struct drift *drift_parameter(const char *function, const char *old)
{
	return find(parameters, COUNT(parameters), function, old);
}

const struct drift *drift_type(const char *old)
{
	return find(types, COUNT(types), NULL, old);
}

const struct drift *drift_variable(const char *old)
{
	return find(variables, COUNT(variables), NULL, old);
}

const struct drift *drift_tracepoint(const char *old)
{
	return find(tracepoints, COUNT(tracepoints), NULL, old);
}

const struct drift *drift_marker(const char *old, const char **arguments)
{
	const struct drift *d = find(markers, COUNT(markers), NULL, old);

	*arguments = d ? d->of : NULL;
	return d;
}

const struct drift *drift_module(const char *old)
{
	return find(places, COUNT(places), "module", old);
}

const struct drift *drift_file(const char *old)
{
	return find(places, COUNT(places), "file", old);
}

const struct drift *drift_call(const char *old)
{
	return find(places, COUNT(places), "call", old);
}

const struct drift *drift_alias(const char *old)
{
	return find(places, COUNT(places), "alias", old);
}

const char *drift_next(struct arena *a, const char **list)
{
	size_t len = *list ? strcspn(*list, "|") : 0;
	const char *one;

	if (!*list)
		return NULL;
	one = arena_strndup(a, *list, len);
	*list = (*list)[len] ? *list + len + 1 : NULL;
	return one;
}

const char *drift_when(struct arena *a, const struct drift *d)
{
	if (!d->since)
		return "in this kernel";
	return arena_printf(a, "since %s%s%s%s", d->since, d->commit ? " (" : "",
			    d->commit ? d->commit : "", d->commit ? ")" : "");
}

const char *drift_story(struct arena *a, const struct drift *d)
{
	return arena_printf(a, "%s%s%s", drift_when(a, d), d->story ? "; " : "",
			    d->story ? d->story : "");
}
