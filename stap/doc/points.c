/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of points of -l, in readable form. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "sem/listing.h"
#include "stap/doc/doc.h"

/* Returns NULL if the library does not describe the point. */
static const char *summary_of(const struct docs *docs, const char *point)
{
	const struct doc *d = docs_find(docs, DOC_PROBE, point);

	return d ? d->summary : NULL;
}

static bool is_for_people(const struct session *s, bool variables)
{
	return !variables && (s->options->verbose || isatty(STDOUT_FILENO));
}

bool doc_list_points(struct session *s, bool variables)
{
	const char **points, **summaries;
	struct docs docs;
	size_t count;
	int width = 0;

	if (!is_for_people(s, variables))
		return listing_points(s, variables);
	count = listing_lines(s, variables, &points);
	docs_read(s, &docs);
	summaries = arena_array(s->arena, const char *, count + 1);
	for (size_t i = 0; i < count; i++) {
		summaries[i] = summary_of(&docs, points[i]);
		if (summaries[i] && (int)strlen(points[i]) > width)
			width = (int)strlen(points[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (summaries[i])
			printf("%-*s  %s\n", width, points[i], summaries[i]);
		else
			puts(points[i]);
	return count;
}
