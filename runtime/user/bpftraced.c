/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpftraced.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/bpftraced.h"

/* Lists with a name in each line, at that word, counted from 0. */
static const struct {
	const char *path;
	unsigned word;
} traced_lists[] = {
	{ "/sys/kernel/tracing/available_filter_functions", 0 },
	{ "/sys/kernel/debug/tracing/available_filter_functions", 0 },
	{ "/proc/kallsyms", 2 },
};

struct traced_name {
	const char *name;
	bool *is_known;
};

static int traced_compare(const void *a, const void *b)
{
	return strcmp(((const struct traced_name *)a)->name, ((const struct traced_name *)b)->name);
}

/* Returns the word of the line, and ends it there; NULL: there are not as many. */
static char *traced_word(char *line, unsigned word)
{
	line += strspn(line, " ");
	for (; word; word--) {
		line += strcspn(line, " \t\n");
		line += strspn(line, " \t");
	}
	line[strcspn(line, " \t\n")] = 0;
	return *line ? line : NULL;
}

static void traced_mark(struct traced_name *sorted, unsigned n, const char *name)
{
	const struct traced_name key = { .name = name };
	struct traced_name *at = bsearch(&key, sorted, n, sizeof(*sorted), traced_compare);

	if (!at)
		return;
	while (at > sorted && !strcmp(at[-1].name, name))
		at--;
	for (; at < sorted + n && !strcmp(at->name, name); at++)
		*at->is_known = true;
}

/* Returns whether the file has a line. */
static bool traced_read(FILE *f, unsigned word, struct traced_name *sorted, unsigned n)
{
	char *line = NULL, *name;
	size_t room = 0;
	bool ret = false;

	for (; getline(&line, &room, f) > 0; ret = true) {
		name = traced_word(line, word);
		if (name)
			traced_mark(sorted, n, name);
	}
	free(line);
	return ret;
}

bool bpftraced_find(const char *const *names, unsigned n, bool *is_known)
{
	struct traced_name *sorted = calloc(n, sizeof(*sorted));
	bool ret = false;

	if (!sorted)
		return false;
	for (unsigned i = 0; i < n; i++)
		sorted[i] = (struct traced_name){ names[i], &is_known[i] };
	qsort(sorted, n, sizeof(*sorted), traced_compare);
	for (size_t i = 0; i < sizeof(traced_lists) / sizeof(traced_lists[0]) && !ret; i++) {
		FILE *f = fopen(traced_lists[i].path, "re");

		ret = f && traced_read(f, traced_lists[i].word, sorted, n);
		if (f)
			fclose(f);
	}
	free(sorted);
	return ret;
}
