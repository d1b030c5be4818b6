/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/selfpath.h"
#include "lib/subprocess.h"
#include "stap/lsp/lsp.h"

/* Returns the output of another stap; "": it found nothing. */
static const char *ask(struct lsp *l, const char *option, const char *point)
{
	const struct options *o = l->s->options;
	struct arena *a = l->s->arena;
	VEC(char *) argv = { 0 };
	struct process_result result;

	vec_push(a, &argv, arena_strdup(a, SELFPATH_EXE));
	vec_push(a, &argv, arena_strdup(a, "-w"));
	vec_each(&o->include_dirs, i) {
		vec_push(a, &argv, arena_strdup(a, "-I"));
		vec_push(a, &argv, arena_strdup(a, o->include_dirs.data[i]));
	}
	if (o->release) {
		vec_push(a, &argv, arena_strdup(a, "-r"));
		vec_push(a, &argv, arena_strdup(a, o->release));
	}
	vec_push(a, &argv, arena_strdup(a, option));
	vec_push(a, &argv, arena_strdup(a, point));
	vec_push(a, &argv, NULL);
	if (subprocess_run(a, NULL, argv.data, true, &result) || result.status)
		return "";
	return result.output;
}

static void add_once(struct arena *a, name_list *list, const char *name)
{
	vec_each(list, i)
		if (!strcmp(list->data[i], name))
			return;
	vec_push(a, list, name);
}

void ask_points(struct lsp *l, const char *point, name_list *ret)
{
	for (const char *line = ask(l, "-l", point); *line;) {
		size_t len = strcspn(line, "\n");

		vec_push(l->s->arena, ret, arena_strndup(l->s->arena, line, len));
		line += len + (line[len] == '\n');
	}
}

/*
 * Adds the variables of "POINT name:type name:struct x* …": types and the point may
 * contain blanks; a word of the point has no colon after a name.
 */
static void add_variables(struct lsp *l, const char *line, name_list *ret)
{
	char *copy = arena_strdup(l->s->arena, line), *rest = NULL, *begin = NULL;

	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t name = strspn(
			word, "$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

		if (name && word[name] == ':') {
			if (begin)
				add_once(l->s->arena, ret, begin);
			begin = word;
		} else if (begin) {
			word[-1] = ' '; /* strtok_r() has put a NUL there */
		}
	}
	if (begin)
		add_once(l->s->arena, ret, begin);
}

void ask_variables(struct lsp *l, const char *point, name_list *ret)
{
	for (const char *line = ask(l, "-L", point); *line;) {
		size_t len = strcspn(line, "\n");

		add_variables(l, arena_strndup(l->s->arena, line, len), ret);
		line += len + (line[len] == '\n');
	}
}
