/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --exporter: stap-exporter takes over, and starts stap for the scripts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/optioncommand.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"

/* True: the argument is --exporter, which may be shortened as every long name. */
static bool is_ours(const char *arg)
{
	size_t n = strcspn(arg, "=");

	return n > 3 && n <= strlen("--exporter") && !strncmp(arg, "--exporter", n);
}

/* Returns what the script is called in its path: its file's name. */
static const char *script_name(struct session *s)
{
	const struct options *o = s->options;
	const char *file = o->script_file ? o->script_file : o->example;
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *name, *dot;

	if (!file || !strcmp(file, "-"))
		return o->script_text || file || o->more_scripts.count ? "script" : NULL;
	name = arena_strdup(s->arena, slash ? slash + 1 : file);
	dot = strrchr(name, '.');
	if (dot && !strcmp(dot, ".stp"))
		*dot = 0;
	return name;
}

static size_t count_words(char **argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	return n;
}

/* Becomes stap-exporter, with the other arguments for stap. Returns errors alone. */
struct error *exporter_become(struct session *s, int *status)
{
	char **argv = s->options->argv;
	const char *program = arena_printf(s->arena, "%s/stap-exporter", s->bin_dir);
	char **words = arena_array(s->arena, char *, count_words(argv) + 8);
	const char *name = script_name(s);
	bool seen = false;
	int n = 0;

	words[n++] = (char *)program;
	if (s->options->wanted_word) {
		words[n++] = "--listen";
		words[n++] = (char *)s->options->wanted_word;
	}
	if (name) {
		words[n++] = "--name";
		words[n++] = (char *)name;
	}
	words[n++] = "--";
	for (int i = 1; argv[i]; i++) {
		if (!seen && is_ours(argv[i]))
			seen = true;
		else
			words[n++] = argv[i];
	}
	execv(program, words);
	if (errno == ENOENT)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "--exporter: no %s; this stap was built without libmicrohttpd "
				    "or libyaml; %s, then build it again",
				    program, remedy_command(s->arena, REMEDY_LIBMICROHTTPD, NULL));
	return error_errno(s->arena, "%s", program);
}
