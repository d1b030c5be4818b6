/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes as bpftrace and DTrace write them, in this language. */
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parser.h"

#define FIELDS_MAX 4

/* %1, %2: the second and third field of PROVIDER:FIELD:FIELD */
static const struct foreign {
	const char *provider;
	const char *unit; /* the second field has to be this; NULL: any */
	const char *last; /* the last field has to be this; NULL: any */
	unsigned fields;  /* number of fields, the provider included */
	const char *point;
} foreign[] = {
	{ "kprobe", NULL, NULL, 2, "kernel.function(\"%1\")" },
	{ "kretprobe", NULL, NULL, 2, "kernel.function(\"%1\").return" },
	{ "fentry", NULL, NULL, 2, "kernel.function(\"%1\")" },
	{ "fexit", NULL, NULL, 2, "kernel.function(\"%1\").return" },
	{ "kfunc", NULL, NULL, 2, "kernel.function(\"%1\")" },
	{ "kretfunc", NULL, NULL, 2, "kernel.function(\"%1\").return" },
	{ "tracepoint", NULL, NULL, 3, "kernel.trace(\"%1:%2\")" },
	{ "rawtracepoint", NULL, NULL, 2, "kernel.trace(\"%1\")" },
	{ "t", NULL, NULL, 3, "kernel.trace(\"%1:%2\")" },
	{ "k", NULL, NULL, 2, "kernel.function(\"%1\")" },
	{ "kr", NULL, NULL, 2, "kernel.function(\"%1\").return" },
	{ "uprobe", NULL, NULL, 3, "process(\"%1\").function(\"%2\")" },
	{ "uretprobe", NULL, NULL, 3, "process(\"%1\").function(\"%2\").return" },
	{ "usdt", NULL, NULL, 3, "process(\"%1\").mark(\"%2\")" },
	{ "interval", NULL, NULL, 3, "timer.%1(%2)" },
	/* On each processor; a timer goes off on one. */
	{ "profile", "hz", NULL, 3, "perf.sw.cpu_clock.hz(%2)" },
	{ "profile", "s", NULL, 3, "perf.sw.cpu_clock.sample(%2000000000)" },
	{ "profile", "ms", NULL, 3, "perf.sw.cpu_clock.sample(%2000000)" },
	{ "profile", "us", NULL, 3, "perf.sw.cpu_clock.sample(%2000)" },
	{ "software", NULL, NULL, 2, "perf.sw.%1" },
	{ "hardware", NULL, NULL, 2, "perf.hw.%1" },
	/* DTrace: provider:module:function:name */
	{ "syscall", NULL, "entry", 4, "syscall.%2" },
	{ "syscall", NULL, "return", 4, "syscall.%2.return" },
	{ "fbt", NULL, "entry", 4, "kernel.function(\"%2\")" },
	{ "fbt", NULL, "return", 4, "kernel.function(\"%2\").return" },
};

/*
 * Returns the text of the tokens that touch each other, up to a blank, a brace or a
 * predicate.
 */
static const char *foreign_text(struct parser *p, size_t i, size_t *end)
{
	const struct token *first = &p->tokens.data[i];
	size_t last = i;

	if (first->kind != TOKEN_WORD)
		return NULL;
	while (last + 1 < p->tokens.count) {
		const struct token *t = &p->tokens.data[last + 1];

		if (t->kind == TOKEN_END || token_is(t, TOKEN_PUNCT, "{") ||
		    t->loc.source != first->loc.source ||
		    t->loc.begin != p->tokens.data[last].loc.end)
			break;
		last++;
	}
	*end = last + 1;
	return arena_strndup(p->s->arena, first->loc.source->text + first->loc.begin,
			     p->tokens.data[last].loc.end - first->loc.begin);
}

static unsigned split_fields(char *text, const char *fields[FIELDS_MAX])
{
	unsigned n = 0;

	while (n < FIELDS_MAX && text) {
		char *colon = strchr(text, ':');

		fields[n++] = text;
		if (colon)
			*colon = 0;
		text = colon ? colon + 1 : NULL;
	}
	return text ? 0 : n;
}

static const char *fill_point(struct session *s, const char *pattern,
			      const char *const fields[FIELDS_MAX])
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	for (; *pattern; pattern++) {
		if (*pattern == '%')
			strbuf_adds(&out, fields[*++pattern - '0']);
		else
			strbuf_addc(&out, *pattern);
	}
	return out.s;
}

const char *teach_point_foreign(struct parser *p, size_t i, size_t *end)
{
	const char *text = foreign_text(p, i, end), *fields[FIELDS_MAX];
	unsigned n;

	if (!text || !strchr(text, ':'))
		return NULL;
	n = split_fields(arena_strdup(p->s->arena, text), fields);
	for (size_t k = 0; k < sizeof(foreign) / sizeof(foreign[0]); k++) {
		const struct foreign *f = &foreign[k];

		if (n == f->fields && !strcmp(fields[0], f->provider) &&
		    (!f->last || !strcmp(fields[n - 1], f->last)) &&
		    (!f->unit || !strcmp(fields[1], f->unit)))
			return fill_point(p->s, f->point, fields);
	}
	return NULL;
}
