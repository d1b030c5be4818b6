/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/writer.h"

#include <stdarg.h>

#include "base/arena.h"

void writer_init(struct writer *w, struct arena *a)
{
	*w = (struct writer){ .depth = 0 };
	strbuf_init(&w->out, a);
}

static void add_line(struct writer *w, const char *text, const char *tail)
{
	/* Labels and preprocessor lines stand at the margin by themselves; empty lines stay empty. */
	if (*text || *tail)
		for (unsigned i = 0; i < w->depth; i++)
			strbuf_addc(&w->out, '\t');
	strbuf_adds(&w->out, text);
	strbuf_adds(&w->out, tail);
	strbuf_addc(&w->out, '\n');
}

void writer_line(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(w, arena_vprintf(w->out.arena, fmt, ap), "");
	va_end(ap);
}

void writer_open(struct writer *w, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(w->out.arena, fmt, ap);
	va_end(ap);
	add_line(w, text, *text ? " {" : "{");
	w->depth++;
}

void writer_close(struct writer *w, const char *tail)
{
	if (w->depth)
		w->depth--;
	add_line(w, "}", tail);
}

void writer_reopen(struct writer *w, const char *middle)
{
	if (w->depth)
		w->depth--;
	add_line(w, "} ", arena_printf(w->out.arena, "%s {", middle));
	w->depth++;
}

void writer_raw(struct writer *w, const char *text, size_t len)
{
	strbuf_add(&w->out, text, len);
}
