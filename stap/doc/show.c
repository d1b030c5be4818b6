/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --doc NAME: prints one name's documentation; for a wildcard, the names that it matches.
 */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "sem/tapset.h"
#include "stap/doc/doc.h"

#define COLUMNS 100

/*
 * Adds the words of a text in lines that begin at a column; the beginning of the first
 * line is there already.
 */
static void add_wrapped(struct strbuf *out, const char *text, int column)
{
	int at = column;

	while (*text) {
		int len;

		text += strspn(text, " ");
		len = (int)strcspn(text, " ");
		if (at > column && at + 1 + len > COLUMNS) {
			strbuf_addf(out, "\n%*s", column, "");
			at = column;
		}
		strbuf_addf(out, "%s%.*s", at > column ? " " : "", len, text);
		at += len + (at > column);
		text += len;
	}
	strbuf_addc(out, '\n');
}

static void add_items(struct strbuf *out, const char *head, const struct doc_item *items,
		      size_t count)
{
	int width = 0;

	for (size_t i = 0; i < count; i++)
		if ((int)strlen(items[i].name) > width)
			width = (int)strlen(items[i].name);
	if (count && head)
		strbuf_addf(out, "\n%s:\n", head);
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(out, "  %-*s", items[i].text[0] ? width + 2 : 0, items[i].name);
		add_wrapped(out, items[i].text, width + 4);
	}
}

static void add_given(struct session *s, const struct docs *docs, const struct doc *d,
		      struct strbuf *out)
{
	doc_items items = { 0 };

	vec_each(&d->given, i) {
		struct doc_item item = { d->given.data[i],
					 doc_words(s, docs, d, d->given.data[i]) };

		if (*item.text || d->kind == DOC_PROBE)
			vec_push(s->arena, &items, item);
	}
	add_items(out, d->kind == DOC_PROBE ? "Values" : "Arguments", items.data, items.count);
}

void doc_text(struct session *s, const struct docs *docs, const struct doc *d, struct strbuf *out)
{
	strbuf_addf(out, "%s %s  (%s)\n  ", doc_kind_names[d->kind], d->name,
		    d->source ? d->source->name : "the language");
	add_wrapped(out, d->summary ? d->summary : "not documented", 2);
	if (d->synopsis.count)
		strbuf_addc(out, '\n');
	vec_each(&d->synopsis, i)
		strbuf_addf(out, "  %s\n", d->synopsis.data[i]);
	add_given(s, docs, d, out);
	vec_each(&d->paragraphs, i) {
		strbuf_adds(out, "\n  ");
		add_wrapped(out, d->paragraphs.data[i], 2);
	}
	if (d->notes.count)
		strbuf_addc(out, '\n');
	add_items(out, NULL, d->notes.data, d->notes.count);
}

/* ---- choice of names ---- */

/*
 * True: `wanted`, "probe::vm.*", "function::strlen", "@sum" or a name of any kind, means
 * d.
 */
static bool is_meant(const struct doc *d, const char *wanted, const struct glob *g)
{
	const char *colons = strstr(wanted, "::");
	size_t len = colons ? (size_t)(colons - wanted) : 0;

	if (colons && (strlen(doc_kind_names[d->kind]) != len ||
		       strncmp(doc_kind_names[d->kind], wanted, len)))
		return false;
	return glob_match(g, d->name) || (d->kind == DOC_MACRO && glob_match(g, d->name + 1));
}

/* Shows the points that are part of the language; one page describes them. */
static bool show_points(const char *name)
{
	bool any = false;

	for (unsigned i = 0; i < probe_family_count; i++) {
		const char *line = probe_families[i]->help;

		for (size_t len; *line; line += len + (line[len] == '\n')) {
			len = strcspn(line, "\n");
			if (strncmp(line, name, strlen(name)) ||
			    !strchr(".(\n", line[strlen(name)]))
				continue;
			if (!any)
				puts("Points of the language, described in stapprobes(3stap):");
			printf("  %.*s\n", (int)len, line);
			any = true;
		}
	}
	return any;
}

static bool say_unknown(struct session *s, const struct docs *docs, const char *name)
{
	VEC(const char *) names = { 0 };
	const char *near;

	vec_each(&docs->list, i)
		vec_push(s->arena, &names, docs->list.data[i]->name);
	near = diag_near(s, name, names.data, names.count);
	fprintf(stderr, "stap: unknown name '%s'%s%s; stap --doc '*' lists all names\n", name,
		near ? "; did you mean " : "", near ? near : "");
	return false;
}

/* False: there is no such name, which was reported. */
static bool show(struct session *s, const char *wanted)
{
	const char *colons = strstr(wanted, "::"), *name = colons ? colons + 2 : wanted;
	const struct glob g = glob_make(name);
	VEC(const struct doc *) found = { 0 };
	struct docs docs;
	int width = 0;

	docs_read(s, &docs);
	vec_each(&docs.list, i)
		if (is_meant(docs.list.data[i], wanted, &g))
			vec_push(s->arena, &found, docs.list.data[i]);
	if (!found.count)
		return show_points(name) || say_unknown(s, &docs, name);
	if (!glob_is(name)) {
		struct strbuf out;

		strbuf_init(&out, s->arena);
		vec_each(&found, i) {
			if (i)
				strbuf_addc(&out, '\n');
			doc_text(s, &docs, found.data[i], &out);
		}
		fputs(out.s, stdout);
		return true;
	}
	vec_each(&found, i)
		if ((int)strlen(found.data[i]->name) > width)
			width = (int)strlen(found.data[i]->name);
	vec_each(&found, i)
		printf("%-8s  %-*s  %s\n", doc_kind_names[found.data[i]->kind], width,
		       found.data[i]->name, found.data[i]->summary ? found.data[i]->summary : "");
	return true;
}

struct error *doc_show(struct session *s, int *status)
{
	tapset_open(s);
	*status = show(s, s->options->wanted_word) ? 0 : 1;
	return NULL;
}
