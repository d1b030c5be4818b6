/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dialogue.h. */
#include "stap/dialogue/dialogue.h"

#include <stdio.h>
#include <string.h>
#include <wordexp.h>

#include "base/optioncommand.h"
#include "base/remedy.h"
#include "base/version.h"
#include "lib/arena.h"
#include "lib/path.h"
#include "lib/userdir.h"
#include "parse/statement.h"

#define PROMPT "stap> "
#define MORE   "    > "

static struct completing *completing_of(struct dialogue *d)
{
	return d->lines.context;
}

bool dialogue_more(struct dialogue *d, const char **text)
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
	/* A declaration that a file's end cuts off is added: a run says what it lacks. */
	return kind == LINE_TEXT || (kind == LINE_OVER && !d->lines.is_terminal);
}

char **dialogue_words(struct dialogue *d, const char *line, int *argc)
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

/* Takes the script of the command line as the beginning. */
static void take_first_script(struct dialogue *d)
{
	struct options *o = &d->start;

	if (o->script_text)
		edit_add_text(d, o->script_text);
	else if (o->script_file)
		d->status = edit_load(d, o->script_file);
	o->script_text = o->script_file = NULL;
	o->wanted = COMMAND_NONE;
	d->options = *o;
}

static const char *history_file(struct session *s)
{
	const char *dir = userdir_find(s->arena);

	return dir && !path_make_dirs(s->arena, dir, 0700)
		       ? arena_printf(s->arena, "%s/history", dir)
		       : NULL;
}

static void greet(const struct dialogue *d)
{
	const char *supply;

	if (!d->lines.is_terminal)
		return;
	printf("A line is a declaration or a command; run runs the script, help lists "
	       "the commands.\n");
	if (version_has_editor)
		return;
	supply = remedy_command(d->s->arena, REMEDY_LIBEDIT, NULL);
	printf("Tab does not work here: this stap was built without libedit%s%s%s\n",
	       *supply ? " (" : "", supply, *supply ? ", then build it again)" : "");
}

struct error *dialogue_talk(struct session *s, dialogue_perform *perform, int *status)
{
	struct dialogue d = { .s = s, .perform = perform, .start = *s->options };
	struct completing completing = { .d = &d, .before = "" };
	const char *line;

	d.lines = (struct line_reader){ .arena = s->arena,
					.history = history_file(s),
					.complete = complete_line,
					.context = &completing };
	take_first_script(&d);
	work_warm(&d);
	line_open(&d.lines);
	greet(&d);
	while (!d.is_over) {
		enum line_kind kind = line_read(&d.lines, PROMPT, &line);

		d.is_over = kind == LINE_OVER;
		if (kind == LINE_TEXT && line[strspn(line, " \t")])
			d.status = verbs_take(&d, line);
	}
	line_close(&d.lines);
	*status = d.lines.ended_by ? 128 + d.lines.ended_by : d.status;
	return NULL;
}
