/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drift/drift.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

struct row {
	const char *of, *old, *now, *since, *commit, *story;
};

/* A table, and the syntax of its right sides. */
struct table {
	const struct row *rows;
	size_t count;
	enum successor_form form;
};

#define ROW(of, old, now, since, commit, story) { of, old, now, since, commit, story },

static const struct row members_rows[] = {
#include "drift/members.def"
};
static const struct row functions_rows[] = {
#include "drift/functions.def"
};
static const struct row parameters_rows[] = {
#include "drift/parameters.def"
};
static const struct row tracepoints_rows[] = {
#include "drift/tracepoints.def"
};
static const struct row types_rows[] = {
#include "drift/types.def"
};
static const struct row variables_rows[] = {
#include "drift/variables.def"
};
static const struct row places_rows[] = {
#include "drift/places.def"
};
static const struct row markers_rows[] = {
#include "drift/markers.def"
};

#define ROWS(name) .rows = name##_rows, .count = COUNT(name##_rows)

static const struct table members = { ROWS(members), SUCCESSOR_PATH };
static const struct table functions = { ROWS(functions), SUCCESSOR_NAME };
static const struct table parameters = { ROWS(parameters), SUCCESSOR_START };
static const struct table tracepoints = { ROWS(tracepoints), SUCCESSOR_NAME };
static const struct table types = { ROWS(types), SUCCESSOR_NAME };
static const struct table variables = { ROWS(variables), SUCCESSOR_START };
static const struct table places = { ROWS(places), SUCCESSOR_NAME };
static const struct table markers = { ROWS(markers), SUCCESSOR_NAME };

/* Makes a drift from a row whose right side is `now`. The unit test reads every row. */
static struct drift *drift_of(struct arena *a, const struct table *t, const struct row *row,
			      const char *now)
{
	struct drift *d = arena_new(a, struct drift);

	*d = (struct drift){ .of = row->of,
			     .old = row->old,
			     .since = row->since,
			     .commit = row->commit,
			     .story = row->story };
	successor_parse(a, t->form, now, &d->now);
	return d;
}

static struct drift *find(struct arena *a, const struct table *t, const char *of, const char *old)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->rows[i].old, old) && (!of || !strcmp(t->rows[i].of, of)))
			return drift_of(a, t, &t->rows[i], t->rows[i].now);
	return NULL;
}

const struct drift *drift_member(struct arena *a, const char *type, const char *old)
{
	return find(a, &members, type, old);
}

/* ---- functions ---- */

/*
 * Returns the part of `name` that matches the '*' at the end, or at the beginning, of a
 * row's name; NULL: the row does not match.
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
 * Rows by name, and rows with '*' in the table's order. The index is worthwhile: every
 * function that a script names is looked up here, if only to report that most callers
 * bypass it.
 */
static const struct row *by_name[COUNT(functions_rows)], *patterns[COUNT(functions_rows)];
static size_t npatterns;

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct row *const *)a)->old, (*(const struct row *const *)b)->old);
}

static void index_functions(void)
{
	for (size_t i = 0; i < functions.count; i++) {
		by_name[i] = &functions.rows[i];
		if (strchr(functions.rows[i].old, '*'))
			patterns[npatterns++] = &functions.rows[i];
	}
	qsort(by_name, COUNT(by_name), sizeof(*by_name), compare_names);
}

static const struct row *find_function(const char *old)
{
	const struct row key = { .old = old }, *wanted = &key, **found;

	if (!npatterns)
		index_functions();
	found = bsearch(&wanted, by_name, COUNT(by_name), sizeof(*by_name), compare_names);
	return found ? *found : NULL;
}

const struct drift *drift_function(struct arena *a, const char *old)
{
	const struct row *row = find_function(old);

	if (row)
		return drift_of(a, &functions, row, row->now);
	for (size_t i = 0; i < npatterns; i++) {
		const char *now = patterns[i]->now, *stem = stem_of(a, patterns[i]->old, old);

		if (stem)
			return drift_of(a, &functions, patterns[i],
					now ? arena_printf(a, "%.*s%s%s", (int)strcspn(now, "*"),
							   now, stem, now + strcspn(now, "*") + 1)
					    : NULL);
	}
	return NULL;
}

/* ---- other kinds ---- */

const struct drift *drift_parameter(struct arena *a, const char *function, const char *old)
{
	return find(a, &parameters, function, old);
}

const struct drift *drift_type(struct arena *a, const char *old)
{
	return find(a, &types, NULL, old);
}

const struct drift *drift_variable(struct arena *a, const char *old)
{
	return find(a, &variables, NULL, old);
}

const struct drift *drift_tracepoint(struct arena *a, const char *old)
{
	return find(a, &tracepoints, NULL, old);
}

/* Reads "prev.pid,next.pid". Returns an error text, or NULL. */
static const char *parse_arguments(struct arena *a, const char *text, successors *ret)
{
	const char *wrong = NULL;

	while (text && !wrong) {
		size_t len = strcspn(text, ",");

		wrong = successor_parse(a, SUCCESSOR_START, arena_strndup(a, text, len), ret);
		text = text[len] ? text + len + 1 : NULL;
	}
	return wrong;
}

const struct drift *drift_marker(struct arena *a, const char *old)
{
	struct drift *d = find(a, &markers, NULL, old);

	if (d)
		parse_arguments(a, d->of, &d->arguments);
	return d;
}

const struct drift *drift_module(struct arena *a, const char *old)
{
	return find(a, &places, "module", old);
}

const struct drift *drift_file(struct arena *a, const char *old)
{
	return find(a, &places, "file", old);
}

const struct drift *drift_call(struct arena *a, const char *old)
{
	return find(a, &places, "call", old);
}

const struct drift *drift_alias(struct arena *a, const char *old)
{
	return find(a, &places, "alias", old);
}

/* ---- texts ---- */

static const char *when(struct arena *a, const struct drift *d)
{
	if (!d->since)
		return "in this kernel";
	return arena_printf(a, "since %s%s%s%s", d->since, d->commit ? " (" : "",
			    d->commit ? d->commit : "", d->commit ? ")" : "");
}

const char *drift_story(struct arena *a, const struct drift *d)
{
	return arena_printf(a, "%s%s%s", when(a, d), d->story ? "; " : "",
			    d->story ? d->story : "");
}
