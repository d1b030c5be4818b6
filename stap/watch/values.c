/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See values.h. The text comes from the run, so it is checked. */
#include "stap/watch/values.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/strbuf.h"
#include "stap/watch/runs.h"

#define MOST_KEYS   64
#define STATS_TEXTS 6

/* The global whose lines are being read. */
struct global {
	const char *name;
	const char *type;
	bool is_string[MOST_KEYS]; /* the current key is one */
	size_t nkeys;
	uint64_t entries, shown;
	bool is_busy;
};

struct fields {
	char *at; /* NULL: there are no more */
};

static char *next_field(struct fields *f)
{
	char *ret = f->at, *tab = ret ? strchr(ret, '\t') : NULL;

	if (tab)
		*tab = 0;
	f->at = tab ? tab + 1 : NULL;
	return ret ? ret : "";
}

static void add_quoted(struct strbuf *b, const char *text, bool is_string)
{
	strbuf_addf(b, is_string ? "\"%s\"" : "%s", text);
}

/* COUNT SUM MIN MAX AVG VARIANCE, those that the script keeps */
static void add_stats(struct strbuf *b, struct fields *f)
{
	static const char *const names[STATS_TEXTS] = { "count", "sum", "min",
							"max",	 "avg", "variance" };

	for (size_t i = 0; i < STATS_TEXTS; i++) {
		const char *text = next_field(f);

		if (strcmp(text, "-") != 0)
			strbuf_addf(b, " %s %s", names[i], text);
	}
}

static void read_value(struct session *s, struct run *r, struct global *g, struct fields *f)
{
	struct strbuf b;

	strbuf_init(&b, s->arena);
	strbuf_addf(&b, "%s", g->name);
	for (size_t i = 0; i < g->nkeys; i++) {
		strbuf_addf(&b, i ? "," : "[");
		add_quoted(&b, next_field(f), g->is_string[i]);
	}
	if (g->nkeys)
		strbuf_addf(&b, "]");
	if (!strcmp(g->type, "stats")) {
		add_stats(&b, f);
	} else {
		strbuf_addf(&b, " ");
		add_quoted(&b, next_field(f), !strcmp(g->type, "string"));
	}
	g->shown++;
	vec_push(s->arena, &r->values, (const char *)b.s);
}

/* Reports why lines of the global are missing. */
static void end_global(struct session *s, struct run *r, const struct global *g)
{
	const char *text = NULL;

	if (g->is_busy)
		text = arena_printf(s->arena, "%s: busy", g->name);
	else if (g->entries > g->shown)
		text = arena_printf(s->arena, "%s: %" PRIu64 " more", g->name,
				    g->entries - g->shown);
	else if (g->nkeys && !g->shown)
		text = arena_printf(s->arena, "%s: no elements", g->name);
	if (text)
		vec_push(s->arena, &r->values, text);
}

static void begin_global(struct session *s, struct run *r, struct global *g, struct fields *f)
{
	end_global(s, r, g);
	*g = (struct global){ .name = next_field(f) };
	g->type = next_field(f);
	g->is_busy = !strcmp(next_field(f), "busy");
}

static void read_line(struct session *s, struct run *r, struct global *g, char *line)
{
	struct fields f = { .at = line };
	const char *what = next_field(&f);

	if (!strcmp(what, "global"))
		begin_global(s, r, g, &f);
	else if (!strcmp(what, "key") && g->nkeys < MOST_KEYS)
		g->is_string[g->nkeys++] = !strcmp(next_field(&f), "string");
	else if (!strcmp(what, "entries"))
		g->entries = strtoull(next_field(&f), NULL, 10);
	else if (!strcmp(what, "value") && g->name)
		read_value(s, r, g, &f);
}

void values_read(struct session *s, struct run *r, const char *text, size_t len)
{
	char *rest = arena_strndup(s->arena, text, len), *line;
	struct global g = { 0 };

	while ((line = strsep(&rest, "\n")) != NULL)
		read_line(s, r, &g, line);
	end_global(s, r, &g);
}

bool values_is_of(const char *line, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(line, name, len) && line[len] && strchr(" [:", line[len]);
}
