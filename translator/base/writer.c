/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/writer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/word.h"

void writer_init(struct writer *w, struct arena *a)
{
	*w = (struct writer){ .depth = 0 };
	strbuf_init(&w->out, a);
}

void writer_release(struct writer *w)
{
	strbuf_release(&w->out);
}

static void add_indented(struct writer *w, const char *text)
{
	for (unsigned i = 0; i < w->depth; i++)
		strbuf_addc(&w->out, '\t');
	strbuf_adds(&w->out, text);
}

/* Returns the end of a text in quotes. */
static const char *behind_quotes(const char *c)
{
	for (c++; *c && *c != '"' && *c != '\n'; c++)
		c += *c == '\\' && c[1];
	return *c ? c + 1 : c;
}

/* Reports the words in the text that begin with the prefix and are not in quotes. */
static void tell_words(const struct writer_words *words, const char *text)
{
	size_t len = strlen(words->prefix);
	const char *from = text, *quote; /* from: outside quotes */

	for (const char *at = text; (at = strstr(at, words->prefix));
	     at = from > at ? from : at + len) {
		while (from <= at && (quote = memchr(from, '"', (size_t)(at - from))))
			from = behind_quotes(quote);
		if (from <= at && (at == text || !word_char(at[-1])))
			words->found(words->ctx, text, at);
	}
}

/*
 * Adds a line without its newline. Labels and preprocessor lines are put at the margin;
 * empty lines stay empty.
 */
static void add_line(struct writer *w, const char *fmt, va_list ap)
{
	size_t before = w->out.len + w->depth;

	add_indented(w, "");
	strbuf_vaddf(&w->out, fmt, ap);
	if (w->words)
		tell_words(w->words, w->out.s + before);
	if (w->out.len == before) {
		w->out.len -= w->depth;
		w->out.s[w->out.len] = 0;
	}
}

void writer_line(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(w, fmt, ap);
	va_end(ap);
	strbuf_addc(&w->out, '\n');
}

void writer_open(struct writer *w, const char *fmt, ...)
{
	size_t before = w->out.len;
	va_list ap;

	va_start(ap, fmt);
	add_line(w, fmt, ap);
	va_end(ap);
	if (w->out.len > before)
		strbuf_adds(&w->out, " {\n");
	else
		add_indented(w, "{\n");
	w->depth++;
}

void writer_close(struct writer *w, const char *tail)
{
	if (w->depth)
		w->depth--;
	add_indented(w, "}");
	strbuf_adds(&w->out, tail);
	strbuf_addc(&w->out, '\n');
}

void writer_reopen(struct writer *w, const char *middle)
{
	if (w->depth)
		w->depth--;
	add_indented(w, "} ");
	strbuf_adds(&w->out, middle);
	strbuf_adds(&w->out, " {\n");
	w->depth++;
}

void writer_raw(struct writer *w, const char *text, size_t len)
{
	strbuf_add(&w->out, text, len);
}
