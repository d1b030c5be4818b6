/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tab: commands, options, files, probe points, names of the library and the script. */
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "ast/node.h"
#include "base/lexical.h"
#include "base/source.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "parse/statement.h"
#include "probe/probe.h"
#include "sem/tapset.h"
#include "stap/dialogue/dialogue.h"
#include "stap/lsp/cursor.h"

/* The text up to the cursor, and the word that is being completed. */
struct spot {
	struct dialogue *d;
	const char *text; /* the lines before and this one */
	size_t len, word; /* of the text; where the word begins */
	line_words *ret;
};

static void add(struct spot *at, const char *name)
{
	if (strncmp(name, at->text + at->word, at->len - at->word))
		return;
	vec_each(at->ret, i)
		if (!strcmp(at->ret->data[i], name))
			return;
	vec_push(at->d->s->arena, at->ret, name);
}

static void add_commands(struct spot *at)
{
	static const char *const begins[] = { "probe", "global", "function", "private" };
	const struct command *c;

	for (size_t i = 0; (c = verbs_row(i)) != NULL; i++)
		add(at, c->name);
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		add(at, begins[i]);
}

static void add_options(struct spot *at)
{
	const char *name;
	bool has_dashes = at->text[at->word] == '-';

	for (size_t i = 0; i < options_count(); i++)
		if ((name = options_long(i)) != NULL)
			add(at, has_dashes ? arena_printf(at->d->s->arena, "--%s", name) : name);
}

static void add_files(struct spot *at)
{
	struct arena *a = at->d->s->arena;
	glob_t found;
	struct stat st;

	if (glob(arena_printf(a, "%s*", at->text + at->word), GLOB_TILDE, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		bool is_dir = !stat(found.gl_pathv[i], &st) && S_ISDIR(st.st_mode);

		add(at, arena_printf(a, "%s%s", found.gl_pathv[i], is_dir ? "/" : ""));
	}
	globfree(&found);
}

/* Adds directories; adds programs and libraries with the quote that ends the string. */
static void add_programs(struct spot *at, size_t string)
{
	struct arena *a = at->d->s->arena;
	glob_t found;
	struct stat st;

	at->word = string;
	if (glob(arena_printf(a, "%s*", at->text + string), 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];

		if (stat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			add(at, arena_printf(a, "%s/", path));
		else if ((st.st_mode & 0111) || strstr(path, ".so"))
			add(at, arena_printf(a, "%s\"", path));
	}
	globfree(&found);
}

/* ---- names of the library ---- */

static void add_aliases(struct spot *at)
{
	const char *const *names;
	size_t count = 0;

	tapset_alias_names(&at->d->warm, &names, &count);
	for (size_t i = 0; i < count; i++)
		add(at, names[i]);
}

static void add_functions(struct spot *at)
{
	const char *const *names;
	const char *name;
	size_t count = 0;

	tapset_function_names(&at->d->warm, &names, &count);
	for (size_t i = 0; i < count; i++)
		add(at, names[i]);
	for (size_t i = 0; (name = parse_print_name(i)) != NULL; i++)
		add(at, name);
}

/* Adds the points of the language, each up to its first string. */
static void add_points(struct spot *at)
{
	for (unsigned i = 0; i < probe_family_count; i++)
		for (const char *line = probe_families[i]->help; *line;) {
			size_t len = strcspn(line, "\n"), name = strcspn(line, "\n \"");

			add(at, arena_printf(at->d->s->arena, "%.*s%s", (int)name, line,
					     line[name] == '"' ? "\"" : ""));
			line += len + (line[len] == '\n');
		}
	add_aliases(at);
}

/* Adds strings that complete the text from `begin` on to a point. */
static void add_strings(struct spot *at, size_t begin, size_t string)
{
	struct options o = at->d->options;
	struct arena *a = at->d->s->arena;
	const char *line;

	o.list = true;
	o.no_warnings = true;
	o.script_text = arena_printf(a, "%s*\")", at->text + begin);
	at->word = string;
	for (line = work_ask(at->d, &o); *line;) {
		size_t len = strcspn(line, "\n"), name;

		if (len > string - begin && !strncmp(line, at->text + begin, string - begin)) {
			name = strcspn(line + (string - begin), "\"@\n");
			add(at, arena_printf(a, "%.*s\"", (int)name, line + (string - begin)));
		}
		line += len + (line[len] == '\n');
	}
}

/* ---- the script ---- */

/* Adds the names that the script itself declares. */
static void add_own(struct spot *at)
{
	struct session quiet = at->d->warm;
	const char *text = edit_text(at->d);
	const struct unit *u;

	quiet.quiet = true;
	u = parse_source(&quiet, source_from_text(quiet.arena, "<script>", text, strlen(text)));
	vec_each(&u->functions, i)
		add(at, u->functions.data[i]->name);
	vec_each(&u->globals, i)
		add(at, u->globals.data[i]->name);
}

static void add_keywords(struct spot *at)
{
	const char *word;

	for (size_t i = 0; (word = lexical_keyword(i)) != NULL; i++)
		add(at, word);
}

/* Returns where the last of several points begins. */
static size_t last_point(const char *text, size_t begin, size_t end)
{
	size_t ret = begin;
	int depth = 0;

	for (size_t i = begin; i < end; i++) {
		depth += text[i] == '(';
		depth -= text[i] == ')' && depth;
		if (text[i] == ',' && !depth)
			ret = i + 1;
	}
	return ret + strspn(text + ret, " \t\n");
}

static void complete_script(struct spot *at)
{
	struct place place;
	size_t begin, end;

	cursor_find(at->text, at->len, &place);
	cursor_word(at->text, at->len, at->len, place.kind == PLACE_HEADER ? ".*" : "@", &begin,
		    &end);
	at->word = begin;
	if (cursor_is_file(at->text, &place) && strchr(at->text + place.string, '/')) {
		add_programs(at, place.string);
	} else if (place.kind == PLACE_HEADER && place.string) {
		add_strings(at, last_point(at->text, place.header, place.string), place.string);
	} else if (place.kind == PLACE_HEADER) {
		add_points(at);
	} else if (place.kind == PLACE_BODY && !place.string) {
		add_own(at);
		add_keywords(at);
		add_functions(at);
	}
}

/* Completes the rest of an `l` command, which is a point as after `probe`. */
static void complete_point(struct spot *at, size_t rest)
{
	const char *text = at->text;
	size_t before = strlen("probe "), skipped = rest;

	at->text = arena_printf(at->d->s->arena, "probe %s", text + rest);
	at->len = strlen(at->text);
	complete_script(at);
	at->word = at->word - before + skipped;
	at->text = text;
}

static void complete_command(struct spot *at, const struct command *c, size_t rest)
{
	switch (c->takes) {
	case TAKES_NOTHING:
		break;
	case TAKES_FILE:
		add_files(at);
		break;
	case TAKES_OPTION:
		add_options(at);
		break;
	case TAKES_NAME:
		add_aliases(at);
		add_functions(at);
		break;
	case TAKES_POINT:
		complete_point(at, rest);
		break;
	case TAKES_SCRIPT:
		at->text += rest;
		at->len -= rest;
		complete_script(at);
		at->word += rest;
		break;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void complete_line(void *context, const char *line, size_t *begin, line_words *ret)
{
	const struct completing *c = context;
	size_t before = strlen(c->before), first = strspn(line, " \t");
	size_t len, rest;
	const struct command *command;
	struct spot at = { .d = c->d,
			   .text = arena_printf(c->d->s->arena, "%s%s", c->before, line),
			   .len = before + strlen(line),
			   .ret = ret };

	first += line[first] == ':';
	len = strcspn(line + first, " \t");
	rest = first + len + strspn(line + first + len, " \t");
	command = statement_begins(line) ? NULL : verbs_find(line + first, len);
	at.word = at.len;
	while (at.word > before && !strchr(" \t", at.text[at.word - 1]))
		at.word--;
	if (before) {
		complete_script(&at);
	} else if (!line[first + len]) {
		at.word = first;
		add_commands(&at);
	} else if (command) {
		complete_command(&at, command, rest);
	} else {
		complete_script(&at);
	}
	vec_sort(ret, by_name);
	*begin = at.word - before;
}
