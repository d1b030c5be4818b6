/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dialogue.h. */
#include "stap/dialogue/dialogue.h"

#include <stdio.h>
#include <string.h>

#include "base/optioncommand.h"
#include "base/remedy.h"
#include "base/version.h"
#include "lib/arena.h"
#include "lib/path.h"
#include "lib/userdir.h"

#define PROMPT "stap> "

/* Begins with the script of the command line. */
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
