/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of documented names, sorted, with one entry for each. */
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "stap/doc/doc.h"

void docs_add_given(struct session *s, struct doc *d, const char *name)
{
	vec_each(&d->given, i)
		if (!strcmp(d->given.data[i], name))
			return;
	vec_push(s->arena, &d->given, name);
}

static int by_name(const void *a, const void *b)
{
	const struct doc *x = *(struct doc *const *)a, *y = *(struct doc *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* Merges several declarations of one name: the first one's documentation is used. */
static void merge_equal(struct session *s, struct docs *docs)
{
	size_t n = 0;

	vec_each(&docs->list, i) {
		struct doc *d = docs->list.data[i], *last = n ? docs->list.data[n - 1] : NULL;

		if (!last || by_name(&last, &d)) {
			docs->list.data[n++] = d;
			continue;
		}
		vec_each(&d->synopsis, k)
			vec_push(s->arena, &last->synopsis, d->synopsis.data[k]);
		vec_each(&d->given, k)
			docs_add_given(s, last, d->given.data[k]);
	}
	docs->list.count = n;
}

void docs_sort(struct session *s, struct docs *docs)
{
	if (docs->list.count)
		vec_sort(&docs->list, by_name);
	merge_equal(s, docs);
}

struct doc *docs_find(const struct docs *docs, enum doc_kind kind, const char *name)
{
	const struct doc wanted = { .kind = kind, .name = name }, *key = &wanted;
	struct doc **found = NULL;

	if (docs->list.count)
		found = bsearch(&key, docs->list.data, docs->list.count, sizeof(*docs->list.data),
				by_name);
	return found ? *found : NULL;
}
