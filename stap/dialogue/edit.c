/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script of a dialogue: its declarations are added, shown, removed and saved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "parse/statement.h"
#include "stap/dialogue/dialogue.h"

static int fail(const char *what)
{
	fprintf(stderr, "stap: %s\n", what);
	return 2;
}

size_t edit_add_text(struct dialogue *d, const char *text)
{
	struct statement st;
	size_t at = 0, n = 0;

	for (; statement_next(text, &at, &st); n++)
		vec_push(d->s->arena, &d->script,
			 arena_strndup(d->s->arena, text + st.begin, st.end - st.begin));
	return n;
}

const char *edit_text(struct dialogue *d)
{
	struct strbuf out;

	strbuf_init(&out, d->s->arena);
	vec_each(&d->script, i)
		strbuf_addf(&out, "%s\n", d->script.data[i]);
	return out.s;
}

int edit_add(struct dialogue *d, const char *rest)
{
	if (!*rest && d->lines.is_terminal)
		return fail("a declaration is missing, as in: add probe begin { "
			    "println(\"hello\") }");
	if (prompt_more(d, &rest))
		edit_add_text(d, rest);
	return 0;
}

/* ---- a selection of declarations ---- */

/* Parses "N", "N-M" or "all", counting from 1. */
static bool parse_range(struct dialogue *d, const char *text, size_t *first, size_t *last)
{
	char *end;

	*first = 1;
	*last = d->script.count;
	if (!strcmp(text, "all"))
		return true;
	*first = *last = strtoul(text, &end, 10);
	if (end > text && *end == '-')
		*last = strtoul(end + 1, &end, 10);
	return *text && !*end && *first >= 1 && *first <= *last && *last <= d->script.count;
}

static int say_range(const struct dialogue *d, const char *text)
{
	fprintf(stderr,
		"stap: '%s' are not declarations of the script, which has %zu; as in 2, 1-3 "
		"or all\n",
		text, d->script.count);
	return 2;
}

int edit_delete(struct dialogue *d, const char *rest)
{
	size_t first, last;

	if (!parse_range(d, *rest ? rest : "all", &first, &last))
		return say_range(d, rest);
	for (size_t i = last; i < d->script.count; i++)
		d->script.data[first - 1 + i - last] = d->script.data[i];
	d->script.count -= last + 1 - first;
	return 0;
}

/* Prints a declaration after its number; further lines are aligned below the first. */
static void print_statement(size_t number, const char *text)
{
	printf("%3zu  ", number);
	for (; *text; text++) {
		putchar(*text);
		if (*text == '\n')
			printf("     ");
	}
	putchar('\n');
}

int edit_list(struct dialogue *d, const char *rest)
{
	size_t first, last;

	if (!parse_range(d, *rest ? rest : "all", &first, &last))
		return say_range(d, rest);
	for (size_t i = first; i <= last; i++)
		print_statement(i, d->script.data[i - 1]);
	return 0;
}

static int list_declared(struct dialogue *d, const char *what)
{
	vec_each(&d->script, i)
		if (statement_declares(d->script.data[i], what))
			print_statement(i + 1, d->script.data[i]);
	return 0;
}

int edit_probes(struct dialogue *d, const char *rest)
{
	return list_declared(d, "probe");
}

int edit_globals(struct dialogue *d, const char *rest)
{
	return list_declared(d, "global");
}

int edit_functions(struct dialogue *d, const char *rest)
{
	return list_declared(d, "function");
}

/* ---- files ---- */

/* Returns the file name, possibly with ~, in the rest of a line. NULL: there is none. */
static const char *file_of(struct dialogue *d, const char *rest)
{
	int argc = 0;
	char **argv = prompt_words(d, rest, &argc);

	if (argv && argc != 1)
		fprintf(stderr, "stap: name one file\n");
	return argv && argc == 1 ? argv[0] : NULL;
}

int edit_load(struct dialogue *d, const char *rest)
{
	const char *path = file_of(d, rest);
	struct error *err;
	char *text;
	size_t len;

	if (!path)
		return 2;
	err = path_read(d->s->arena, path, &text, &len);
	if (err)
		return fail(err->text);
	if (strlen(text) < len)
		return fail(arena_printf(d->s->arena, "%s: not a text file", path));
	edit_add_text(d, text);
	return 0;
}

int edit_save(struct dialogue *d, const char *rest)
{
	const char *path = file_of(d, rest), *text = edit_text(d);
	struct error *err = path ? path_write(d->s->arena, path, text, strlen(text)) : NULL;

	return err ? fail(err->text) : path ? 0 : 2;
}

/* Lets the user change the file; false: the editor has failed, which was reported. */
static bool call_editor(struct dialogue *d, const char *path)
{
	const char *editor = getenv("VISUAL") ?: getenv("EDITOR") ?: "vi";
	char *argv[] = { arena_strdup(d->s->arena, "sh"),
			 arena_strdup(d->s->arena, "-c"),
			 arena_printf(d->s->arena, "%s \"$1\"", editor),
			 arena_strdup(d->s->arena, "stap"),
			 arena_strdup(d->s->arena, path),
			 NULL };
	struct process_result result;
	struct error *err;

	fflush(NULL);
	err = subprocess_run(d->s->arena, NULL, argv, false, &result);
	if (!err && !result.status)
		return true;
	fprintf(stderr, "stap: %s: %s\n", editor,
		err ? err->text
		    : arena_printf(d->s->arena, "exit status %d; the script is as it was",
				   result.status));
	return false;
}

int edit_edit(struct dialogue *d, const char *rest)
{
	size_t first, last, behind;
	const char *text, *path;
	struct error *err;
	VEC(const char *) kept = { 0 };
	char *changed;
	size_t len;

	if (!parse_range(d, *rest ? rest : "all", &first, &last))
		return say_range(d, rest);
	text = *rest ? d->script.data[first - 1] : edit_text(d);
	path = arena_printf(d->s->arena, "%s/script.stp", d->s->tmp_dir);
	err = path_write(d->s->arena, path, text, strlen(text));
	if (err)
		return fail(err->text);
	if (!call_editor(d, path))
		return 2;
	err = path_read(d->s->arena, path, &changed, &len);
	if (err)
		return fail(err->text);
	behind = last;
	for (size_t i = behind; i < d->script.count; i++)
		vec_push(d->s->arena, &kept, d->script.data[i]);
	d->script.count = first - 1;
	edit_add_text(d, changed);
	vec_each(&kept, i)
		vec_push(d->s->arena, &d->script, kept.data[i]);
	return 0;
}
