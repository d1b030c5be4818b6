/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of a dialogue, one row for each. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "lib/arena.h"
#include "parse/statement.h"
#include "stap/dialogue/dialogue.h"

/* ---- commands that run the script ---- */

static int run_script(struct dialogue *d, const char *rest, bool goes_on)
{
	struct options o = d->options;
	const char *name;
	int argc;
	char **argv = prompt_words(d, rest, &argc);

	if (!argv || !settings_apply(d, &o, argc, argv, &name))
		return 2;
	if (!d->script.count) {
		fprintf(stderr, "stap: there is nothing to run; type a declaration, as in "
				"'probe begin { println(\"hello\") }', to add it\n");
		return 2;
	}
	if (goes_on && !runvalues_begin_with(d, &o))
		return 2;
	o.script_text = edit_text(d);
	runvalues_begin(d, &o);
	d->status = work_do(d, &o);
	runvalues_end(d, &o);
	return d->status;
}

static int run(struct dialogue *d, const char *rest)
{
	return run_script(d, rest, false);
}

static int go_on(struct dialogue *d, const char *rest)
{
	return run_script(d, rest, true);
}

/* ---- questions ---- */

static int document(struct dialogue *d, const char *rest)
{
	struct options o = d->options;

	o.wanted = COMMAND_DOC;
	o.wanted_word = *rest ? rest : "*";
	return work_do(d, &o);
}

static int list_points(struct dialogue *d, const char *rest, bool variables)
{
	struct options o = d->options;

	if (!*rest) {
		fprintf(stderr, "stap: the point is missing, as in: l syscall.open*\n");
		return 2;
	}
	o.list = true;
	o.list_vars = variables;
	o.script_text = rest;
	return work_do(d, &o);
}

static int points(struct dialogue *d, const char *rest)
{
	return list_points(d, rest, false);
}

static int variables(struct dialogue *d, const char *rest)
{
	return list_points(d, rest, true);
}

static int explain(struct dialogue *d, const char *rest)
{
	struct options o = d->options;

	o.wanted = COMMAND_EXPLAIN;
	o.wanted_word = *rest ? rest : NULL;
	return work_do(d, &o);
}

/* ---- the session ---- */

static int help(struct dialogue *d, const char *rest);

static int show_history(struct dialogue *d, const char *rest)
{
	vec_each(&d->history, i)
		printf("%3zu  %s\n", i + 1, d->history.data[i]);
	return 0;
}

static int quit(struct dialogue *d, const char *rest)
{
	d->is_over = true;
	return d->status;
}

static const struct command table[] = {
	{ "add", "[DECLARATION]", "add a declaration; typing it without 'add' works, too",
	  TAKES_SCRIPT, edit_add },
	{ "delete", "[N[-M]]", "remove declarations from the script; without numbers: all",
	  TAKES_NOTHING, edit_delete },
	{ "list", "[N[-M]]", "show the script, with the numbers of its declarations", TAKES_NOTHING,
	  edit_list },
	{ "edit", "[N]", "change the script, or a declaration, in $VISUAL or $EDITOR",
	  TAKES_NOTHING, edit_edit },
	{ "load", "FILE", "add the declarations of a file", TAKES_FILE, edit_load },
	{ "save", "FILE", "write the script into a file", TAKES_FILE, edit_save },
	{ "run", "[OPTION ...]", "run the script, once with these options as well; ^C ends the run",
	  TAKES_OPTION, run },
	{ "continue", "[OPTION ...]",
	  "run it again; numbers and strings begin with the values of the last run", TAKES_OPTION,
	  go_on },
	{ "values", "[NAME]", "show the globals' values from the last run, after set globals",
	  TAKES_NOTHING, runvalues_show },
	{ "probes", "", "list the probes and aliases of the script", TAKES_NOTHING, edit_probes },
	{ "globals", "", "list its globals", TAKES_NOTHING, edit_globals },
	{ "functions", "", "list its functions", TAKES_NOTHING, edit_functions },
	{ "set", "OPTION [VALUE]", "give an option of stap to all runs from now on", TAKES_OPTION,
	  settings_set },
	{ "unset", "OPTION", "unset an option", TAKES_OPTION, settings_unset },
	{ "show", "[OPTION]", "show the options that are set", TAKES_OPTION, settings_show },
	{ "l", "POINT", "list probe points, as stap -l", TAKES_POINT, points },
	{ "L", "POINT", "list them with their variables, as stap -L", TAKES_POINT, variables },
	{ "doc", "[NAME]", "describe a name of the library, as stap --doc", TAKES_NAME, document },
	{ "explain", "[MESSAGE]", "explain a message, as stap --explain", TAKES_NOTHING, explain },
	{ "history", "", "show the lines that were typed", TAKES_NOTHING, show_history },
	{ "help", "[COMMAND]", "list the commands; ? is the same", TAKES_NOTHING, help },
	{ "?", "[COMMAND]", "list the commands", TAKES_NOTHING, help },
	{ "quit", "", "leave, as ^D does; exit is the same", TAKES_NOTHING, quit },
	{ "exit", "", "leave", TAKES_NOTHING, quit },
};
#define ROWS (sizeof(table) / sizeof(table[0]))

const struct command *verbs_row(size_t i)
{
	return i < ROWS ? &table[i] : NULL;
}

const struct command *verbs_find(const char *name, size_t len)
{
	const struct command *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ROWS; i++) {
		if (strncmp(table[i].name, name, len))
			continue;
		if (!table[i].name[len])
			return &table[i];
		found = &table[i];
		n++;
	}
	return n == 1 && len ? found : NULL;
}

static int help(struct dialogue *d, const char *rest)
{
	const struct command *only = *rest ? verbs_find(rest, strlen(rest)) : NULL;

	if (*rest && !only) {
		fprintf(stderr, "stap: no command '%s'; help lists them\n", rest);
		return 2;
	}
	for (size_t i = 0; i < ROWS; i++) {
		const struct command *c = &table[i];

		if (!only || c == only)
			printf("  %-22s %s\n",
			       arena_printf(d->s->arena, "%s%s%s", c->name, *c->form ? " " : "",
					    c->form),
			       c->help);
	}
	return 0;
}

static int say_unknown(struct dialogue *d, const char *word)
{
	const char *names[ROWS], *near;

	for (size_t i = 0; i < ROWS; i++)
		names[i] = table[i].name;
	near = diag_near(d->s, word, names, ROWS);
	fprintf(stderr,
		"stap: no command '%s'%s%s; help lists them, and declarations begin with "
		"probe, global or function\n",
		word, near ? "; did you mean " : "", near ? near : "");
	return 2;
}

int verbs_take(struct dialogue *d, const char *line)
{
	const struct command *c;
	char *rest;
	size_t len;
	bool has_colon;

	line += strspn(line, " \t");
	if (*line)
		vec_push(d->s->arena, &d->history, arena_strdup(d->s->arena, line));
	has_colon = *line == ':';
	line += has_colon;
	if (!has_colon && statement_begins(line))
		return edit_add(d, line);
	len = strcspn(line, " \t");
	if (!len || *line == '#')
		return d->status;
	c = verbs_find(line, len);
	if (!c)
		return say_unknown(d, arena_strndup(d->s->arena, line, len));
	rest = arena_strdup(d->s->arena, line + len + strspn(line + len, " \t"));
	for (size_t end = strlen(rest); end && strchr(" \t", rest[end - 1]); end--)
		rest[end - 1] = 0;
	return c->run(d, rest);
}
