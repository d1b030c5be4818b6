/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the user's input: further lines of a declaration, the words of a command. */
#include <stdio.h>
#include <wordexp.h>

#include "lib/arena.h"
#include "parse/statement.h"
#include "stap/dialogue/dialogue.h"

#define MORE "    > "

static struct completing *completing_of(struct dialogue *d)
{
	return d->lines.context;
}

bool prompt_more(struct dialogue *d, const char **text)
{
	const char *line;
	enum line_kind kind = LINE_TEXT;

	while (statement_is_open(*text)) {
		completing_of(d)->before = arena_printf(d->s->arena, "%s\n", *text);
		kind = line_read(&d->lines, MORE, &line);
		if (kind != LINE_TEXT)
			break;
		*text = arena_printf(d->s->arena, "%s\n%s", *text, line);
	}
	completing_of(d)->before = "";
	d->is_over |= kind == LINE_OVER;
	/*
	 * A declaration that the end of a file cuts off is added: a run reports the
	 * missing part.
	 */
	return kind == LINE_TEXT || (kind == LINE_OVER && !d->lines.is_terminal);
}

char **prompt_words(struct dialogue *d, const char *line, int *argc)
{
	struct arena *a = d->s->arena;
	char **ret;
	wordexp_t w;

	if (wordexp(line, &w, WRDE_NOCMD | WRDE_UNDEF)) {
		fprintf(stderr, "stap: not words of a command line; put characters that "
				"are special to shells in quotes\n");
		return NULL;
	}
	ret = arena_array(a, char *, w.we_wordc + 1);
	for (size_t i = 0; i < w.we_wordc; i++)
		ret[i] = arena_strdup(a, w.we_wordv[i]);
	*argc = (int)w.we_wordc;
	wordfree(&w);
	return ret;
}
