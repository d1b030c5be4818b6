/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values that a global had at the end of the last run of the document's script. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "stap/lsp/lsp.h"
#include "stap/run/lastvalues.h"
#include "stap/watch/runs.h"
#include "stap/watch/values.h"

#define LINES_MOST 12

/* Returns the path in file:///…, decoding %XX; NULL: it is not a file. */
static const char *path_of(struct lsp *l, const char *uri)
{
	static const char scheme[] = "file://";
	struct strbuf out;

	if (strncmp(uri, scheme, strlen(scheme)))
		return NULL;
	strbuf_init(&out, l->s->arena);
	for (uri += strlen(scheme); *uri; uri++) {
		char digits[3] = "", *end = digits;
		long byte = 0;

		if (*uri == '%' && uri[1]) {
			memcpy(digits, uri + 1, 2);
			byte = strtol(digits, &end, 16);
		}
		if (end == digits + 2 && byte > 0)
			uri += 2;
		strbuf_addc(&out, end == digits + 2 && byte > 0 ? (char)byte : *uri);
	}
	return out.s;
}

static void add_head(struct strbuf *out, const struct lastvalues *last)
{
	time_t ended = (time_t)last->ended;
	struct tm tm;
	char text[64];

	if (!localtime_r(&ended, &tm) || !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		strcpy(text, "?");
	strbuf_addf(out, "\nlast run, ended %s%s:", text,
		    last->is_of_text ? "" : " (the script has changed since)");
}

void lastrun_add(struct lsp *l, const struct source *document, const char *name, struct strbuf *out)
{
	const char *path = path_of(l, document->name);
	struct lastvalues last;
	struct run run = { 0 };
	size_t lines = 0;

	if (!path || !lastvalues_find(l->s, path, document->text, &last))
		return;
	values_read(l->s, &run, last.text, last.len);
	vec_each(&run.values, i) {
		const char *line = run.values.data[i], *rest = line + strlen(name);

		if (!values_is_of(line, name) || lines++ > LINES_MOST)
			continue;
		if (lines == 1)
			add_head(out, &last);
		if (lines > LINES_MOST)
			strbuf_adds(out, "\n…");
		else if (*rest == ' ')
			strbuf_adds(out, rest); /* a scalar's only line */
		else
			strbuf_addf(out, "\n%s", line);
	}
}
