/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drift/sourcefiles.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "drift/drift.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/path.h"
#include "lib/vec.h"

/* A line of the table; several may have the same path. */
struct source_line {
	const char *path;
	const char *functions; /* separated by spaces */
};

struct table {
	struct session *s;
	const char *path;
	const char *release;
	VEC(struct source_line) lines;
	unsigned files;
	bool has_ended;
};

static struct error *refuse(const struct table *t, const char *why)
{
	return error_create(t->s->arena, ERROR_ENVIRONMENT,
			    "%s; install stap again: this file comes with it", why);
}

static struct error *damaged(const struct table *t, unsigned line, const char *what)
{
	return refuse(t, arena_printf(t->s->arena, "%s:%u: %s", t->path, line, what));
}

/* True: the list has C names, separated by single spaces. */
static bool are_names(const char *list)
{
	for (bool has_name = false;; list++) {
		if (isalnum((unsigned char)*list) || *list == '_')
			has_name = true;
		else if (!has_name || *list != ' ')
			return has_name && !*list;
		else
			has_name = false;
	}
}

static const char *take_files(struct table *t, const char *path, const char *functions)
{
	if (!t->release)
		return "there is no line 'kernel VERSION' before";
	if (!path)
		return "these functions have no file";
	if (!are_names(functions))
		return "this is not a list of functions";
	vec_push_long(t->s->arena, &t->lines, ((struct source_line){ path, functions }));
	return NULL;
}

static const char *take_end(struct table *t, const char *count)
{
	t->has_ended = true;
	return strtoul(count, NULL, 10) == t->files ? NULL : "files are missing before this line";
}

/* Returns the error in the line, or NULL. */
static const char *take_line(struct table *t, char *line)
{
	char *colon = strstr(line, ": ");

	if (!*line || *line == '#')
		return NULL;
	if (t->has_ended)
		return "there is text after the end";
	if (*line == '\t')
		return take_files(t, t->lines.count ? t->lines.data[t->lines.count - 1].path : NULL,
				  line + 1);
	if (!strncmp(line, "kernel ", 7)) {
		t->release = line + 7;
		return NULL;
	}
	if (!strncmp(line, "end ", 4))
		return take_end(t, line + 4);
	if (!colon)
		return "this is not a file and its functions";
	*colon = 0;
	t->files++;
	return take_files(t, line, colon + 2);
}

static struct error *read_table(struct table *t)
{
	unsigned number = 0;
	char *text, *next;
	size_t len;
	struct error *err = path_read(t->s->arena, t->path, &text, &len);

	if (err)
		return refuse(t, err->text);
	if (strlen(text) != len)
		return refuse(
			t, arena_printf(t->s->arena, "%s: byte %zu is 0", t->path, strlen(text)));
	for (char *line = text; *line; line = next) {
		size_t n = strcspn(line, "\n");
		const char *wrong;

		next = line + n + (line[n] == '\n');
		line[n] = 0;
		number++;
		wrong = take_line(t, line);
		if (wrong)
			return damaged(t, number, wrong);
	}
	return t->has_ended ? NULL : damaged(t, number + 1, "the file ends too soon");
}

static void add_names(struct session *s, const char *list, struct hashmap *ret)
{
	while (*list) {
		size_t len = strcspn(list, " ");

		hashmap_put(ret, arena_strndup(s->arena, list, len), (void *)list);
		list += len + (list[len] == ' ');
	}
}

static void find(const struct table *t, const char *pattern, struct hashmap *ret)
{
	vec_each(&t->lines, i)
		if (glob_path_ends(pattern, t->lines.data[i].path))
			add_names(t->s, t->lines.data[i].functions, ret);
}

struct error *sourcefiles_functions(struct session *s, const char *pattern,
				    struct source_functions *ret)
{
	struct table t = {
		.s = s, .path = arena_printf(s->arena, "%s/tapset/sourcefiles.txt", s->data_dir)
	};
	const struct drift *row = drift_file(s->arena, pattern);
	struct error *err = read_table(&t);

	hashmap_init(&ret->names, s->arena);
	if (err)
		return err;
	ret->release = t.release;
	find(&t, pattern, &ret->names);
	for (size_t i = 0; !ret->names.count && row && i < row->now.count; i++)
		find(&t, row->now.data[i].name, &ret->names);
	return NULL;
}

/* Returns the part of an entry point's name that the source has; NULL: it is not one. */
static const char *entry_name(struct session *s, const char *function)
{
	static const char sys[] = "sys_";
	const size_t n = sizeof(sys) - 1;

	for (const struct arch_entry *e = arch_of(s)->syscalls->entries; e->prefix; e++) {
		size_t len = strlen(e->prefix);

		if (!strncmp(function, e->prefix, len) && !strcmp(e->prefix + len - n, sys))
			return function + len - n;
	}
	return NULL;
}

/*
 * Returns the name in the source: "sys_read" for "__do_sys_read", "finish_task_switch"
 * for "finish_task_switch.isra.0".
 */
static const char *source_name(struct session *s, const char *function)
{
	static const char *const workers[] = { "__do_compat_", "__do_", "__se_compat_", "__se_" };
	const char *entry = entry_name(s, function);

	if (entry)
		return entry;

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		size_t n = strlen(workers[i]);

		if (!strncmp(function, workers[i], n) && !strncmp(function + n, "sys_", 4))
			return function + n;
	}
	return arena_strndup(s->arena, function, strcspn(function, "."));
}

bool sourcefiles_has(struct session *s, const struct hashmap *names, const char *function)
{
	return hashmap_get(names, source_name(s, function)) != NULL;
}
