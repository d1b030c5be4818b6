/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes manual pages, section 3stap, from the library's documentation. */
#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "stap/doc/doc.h"

/* Adds text for troff, protected from being read as requests or escapes. */
static void add_text(struct strbuf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		strbuf_adds(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			strbuf_adds(out, "\\e");
		else if (*text == '-')
			strbuf_adds(out, "\\-");
		else
			strbuf_addc(out, *text);
	}
}

static void add_line(struct strbuf *out, const char *text)
{
	add_text(out, text);
	strbuf_addc(out, '\n');
}

static void add_head(struct session *s, struct strbuf *out, const char *name)
{
	char *upper = arena_strdup(s->arena, name);

	for (char *c = upper; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	strbuf_adds(out, ".\\\" made from the comments of the tapset library\n.TH \"");
	add_text(out, upper);
	strbuf_adds(out, "\" 3stap \"\" \"stap\" \"Tapset library\"\n.ad l\n.nh\n.SH NAME\n");
	add_text(out, name);
	strbuf_adds(out, " \\- ");
}

static void add_item(struct strbuf *out, const char *name, const char *text)
{
	strbuf_adds(out, ".TP\n.B ");
	add_line(out, name);
	if (*text)
		add_line(out, text);
}

static void add_given(struct session *s, const struct docs *docs, const struct doc *d,
		      struct strbuf *out)
{
	static const char *const heads[] = {
		[DOC_PROBE] = "VALUES", [DOC_FUNCTION] = "ARGUMENTS", [DOC_MACRO] = "ARGUMENTS"
	};
	bool any = false;

	vec_each(&d->given, i) {
		const char *text = doc_words(s, docs, d, d->given.data[i]);

		if (!*text && d->kind != DOC_PROBE)
			continue;
		if (!any)
			strbuf_addf(out, ".SH %s\n", heads[d->kind]);
		any = true;
		add_item(out, d->given.data[i], text);
	}
}

static void add_notes(const struct doc *d, struct strbuf *out)
{
	vec_each(&d->notes, i) {
		const struct doc_item *note = &d->notes.data[i];

		strbuf_adds(out, ".SH ");
		for (const char *c = note->name; *c; c++)
			strbuf_addc(out, (char)toupper((unsigned char)*c));
		strbuf_addc(out, '\n');
		add_line(out, note->text);
	}
}

void doc_page(struct session *s, const struct docs *docs, const struct doc *d, struct strbuf *out)
{
	add_head(s, out, arena_printf(s->arena, "%s::%s", doc_kind_names[d->kind], d->name));
	add_line(out, d->summary ? d->summary : "not documented");
	if (d->synopsis.count)
		strbuf_adds(out, ".SH SYNOPSIS\n");
	vec_each(&d->synopsis, i) {
		strbuf_adds(out, i ? ".br\n" : "");
		add_line(out, d->synopsis.data[i]);
	}
	add_given(s, docs, d, out);
	if (d->paragraphs.count)
		strbuf_adds(out, ".SH DESCRIPTION\n");
	vec_each(&d->paragraphs, i) {
		strbuf_adds(out, i ? ".PP\n" : "");
		add_line(out, d->paragraphs.data[i]);
	}
	add_notes(d, out);
	strbuf_adds(out, ".SH SEE ALSO\n");
	strbuf_addf(out, ".BR tapset::%s (3stap),\n.BR stap (1),\n.BR stapprobes (3stap)\n",
		    doc_topic(s, d->source));
}

/* Adds a line of the head comment; indented lines stay as they are. */
static void add_topic_line(const char *line, struct strbuf *out)
{
	strbuf_adds(out, isspace((unsigned char)*line) ? ".br\n" : "");
	add_line(out, line + strspn(line, " \t"));
}

/* Adds the head comment. */
static void add_topic_text(struct session *s, const char *text, struct strbuf *out)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		const char *line = arena_strndup(s->arena, text, len);

		if (*line == '@' && strstr(line, ": "))
			add_item(out, arena_strndup(s->arena, line + 1, strcspn(line, ":") - 1),
				 strstr(line, ": ") + 2);
		else if (!*line)
			strbuf_adds(out, ".PP\n");
		else
			add_topic_line(line, out);
		text += len + (text[len] == '\n');
	}
}

void doc_topic_page(struct session *s, const struct docs *docs, const struct source *source,
		    struct strbuf *out)
{
	const char *topic = doc_topic(s, source), *text = doc_topic_text(s, source);

	add_head(s, out, arena_printf(s->arena, "tapset::%s", topic));
	add_line(out, arena_strndup(s->arena, text, strcspn(text, ".;:\n")));
	strbuf_adds(out, ".SH DESCRIPTION\n");
	add_topic_text(s, text, out);
	strbuf_adds(out, ".SH NAMES\n");
	vec_each(&docs->list, i) {
		const struct doc *d = docs->list.data[i];

		if (strcmp(doc_topic(s, d->source), topic))
			continue;
		add_item(out,
			 arena_printf(s->arena, "%s::%s (3stap)", doc_kind_names[d->kind], d->name),
			 d->summary ? d->summary : "");
	}
	strbuf_adds(out, ".SH SEE ALSO\n.BR stap (1),\n.BR stapprobes (3stap)\n");
}
