/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rcfile.h. */
#include "base/rcfile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/trust.h"
#include "lib/vec.h"

typedef VEC(char *) words;

static const char *place(struct arena *a)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");

	if (dir && *dir)
		return arena_printf(a, "%s/rc", dir);
	return home && *home ? arena_printf(a, "%s/.systemtap/rc", home) : NULL;
}

static struct error *read_line(struct arena *a, const char *path, unsigned number, const char *line,
			       words *ret)
{
	wordexp_t w;

	if (!line[strspn(line, " \t\r")] || line[strspn(line, " \t\r")] == '#')
		return NULL;
	if (wordexp(line, &w, WRDE_NOCMD | WRDE_UNDEF))
		return error_create(a, ERROR_USAGE,
				    "%s:%u: not words of a command line; put characters that "
				    "are special to shells in quotes",
				    path, number);
	for (size_t i = 0; i < w.we_wordc; i++)
		vec_push(a, ret, arena_strdup(a, w.we_wordv[i]));
	wordfree(&w);
	return NULL;
}

static struct error *read_lines(struct arena *a, const char *path, char *text, words *ret)
{
	struct error *err = NULL;
	unsigned number = 0;
	char *line;

	while (!err && (line = strsep(&text, "\n")))
		err = read_line(a, path, ++number, line, ret);
	if (!err && ret->count > 1 && *ret->data[1] != '-')
		return error_create(a, ERROR_USAGE, "%s: '%s' is not an option", path,
				    ret->data[1]);
	return err;
}

struct error *rcfile_prepend(struct session *s, int *argc, char ***argv)
{
	const char *path = place(s->arena);
	enum trust_fault fault;
	char at_fault[PATH_MAX];
	struct error *err;
	words all = { 0 };
	char *text;
	size_t len;

	if (!path || !path_exists(path))
		return NULL;
	/*
	 * Another user's options would act like commands, for example under sudo with
	 * HOME kept.
	 */
	fault = trust_check_path(path, trust_user_and_group(), at_fault);
	if (fault)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: its options are ignored: %s %s; %s fixes that", path,
				    at_fault, trust_reason(fault), trust_remedy(fault));
	err = path_read(s->arena, path, &text, &len);
	vec_push(s->arena, &all, (*argv)[0]);
	if (!err)
		err = read_lines(s->arena, path, text, &all);
	for (int i = 1; i < *argc; i++)
		vec_push(s->arena, &all, (*argv)[i]);
	*argc = (int)all.count;
	vec_push(s->arena, &all, NULL);
	*argv = all.data;
	return err;
}
