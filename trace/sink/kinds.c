/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of sinks that stap-merge has: see sink.h. */
#include <stdio.h>
#include <string.h>

#include "trace/sink/sink.h"

static const struct kind {
	const char *name, *where, *help;
	const struct sink_ops *ops;
} kinds[] = {
#define SINK(kind, where, help) { #kind, where, help, &sink_##kind },
#include "trace/sink/sink.def"
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *find(const char *to)
{
	for (size_t i = 0; i < KINDS; i++) {
		size_t len = strlen(kinds[i].name);

		if (!strncmp(to, kinds[i].name, len) && to[len] == ':' && to[len + 1])
			return &kinds[i];
	}
	return NULL;
}

const char *sink_check(const char *to)
{
	static char text[384];
	size_t n;

	if (find(to))
		return NULL;
	n = (size_t)snprintf(text, sizeof(text), "--to takes KIND:WHERE, which is one of");
	for (size_t i = 0; i < KINDS && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s %s:%s", i ? "," : "",
				      kinds[i].name, kinds[i].where);
	return text;
}

void sink_list(void)
{
	for (size_t i = 0; i < KINDS; i++)
		printf("              %s:%-*s %s\n", kinds[i].name,
		       (int)(23 - strlen(kinds[i].name)), kinds[i].where, kinds[i].help);
}

bool sink_spools(const char *to)
{
	return find(to)->ops->spools;
}

bool sink_open(struct sink *s, const char *to, const struct sink_trace *t)
{
	const struct kind *k = find(to);

	sink_init(s, k->ops, k->ops->open(strchr(to, ':') + 1, t));
	s->at = t->at;
	s->stored = t->stored;
	s->waits = t->spool;
	return s->own;
}
