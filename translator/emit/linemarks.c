/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the compiler's messages about embedded C point into the script: the text has its
 * own #line. The generated file continues after it with another #line, whose number is
 * known only when everything is written: a mark holds its place until then.
 */
#include <stdio.h>
#include <string.h>

#include "base/session.h"
#include "emit/emit.h"
#include "emit/linkparts.h"
#include "lib/arena.h"

/* The number is put into the middle of the mark, so that its length does not change. */
#define MARK	     "#line       here \"script.c\"\n"
#define NUMBER_AT    6
#define NUMBER_WIDTH 10

void emit_user_text(struct session *s, struct writer *w, struct loc loc, const char *lead,
		    const char *text, size_t len)
{
	unsigned line, column, taken = (unsigned)strlen(lead);

	/*
	 * The library's path depends on the installation, and has no place in a file that
	 * is cached.
	 */
	bool is_user = loc.source && !loc.source->is_tapset;

	if (is_user) {
		source_position(s->arena, loc.source, loc.begin, &line, &column);
		strbuf_addf(&w->out, "\n#line %u %s\n%*s", line,
			    strbuf_quoted(s->arena, loc.source->name, strlen(loc.source->name)),
			    column + 1 > taken ? (int)(column + 1 - taken) : 0, "");
	}
	strbuf_adds(&w->out, lead);
	writer_raw(w, text, len);
	linkparts_embedded(s, text, len);
	strbuf_adds(&w->out, is_user ? "\n" MARK : "\n");
}

void emit_set_lines(char *text)
{
	unsigned line = 1;
	char *mark, number[16];

	for (; (mark = strstr(text, MARK)); text = mark + strlen(MARK)) {
		for (const char *c = text; c < mark; c++)
			line += *c == '\n';
		line++;
		snprintf(number, sizeof(number), "%*u", NUMBER_WIDTH, line);
		memcpy(mark + NUMBER_AT, number, NUMBER_WIDTH);
	}
}
