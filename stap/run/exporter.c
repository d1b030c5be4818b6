/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --exporter and --web: stap-exporter replaces stap, and starts stap for the scripts. */
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

/* True: the argument is this option, possibly shortened like every long option. */
static bool is_option(const char *arg, const char *option)
{
	size_t n = strcspn(arg, "=");

	return n > 2 && n <= strlen(option) && !strncmp(arg, option, n);
}

/* Returns the name of the script for its URL: the name of its file. */
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

/*
 * Executes stap-exporter, which passes the other arguments to stap. Returns only on
 * errors.
 */
static struct error *become(struct session *s, const char *option, const char *name)
{
	char **argv = s->options->argv;
	const char *program = arena_printf(s->arena, "%s/stap-exporter", s->bin_dir);
	char **words = arena_array(s->arena, char *, count_words(argv) + 9);
	bool seen = false;
	int n = 0;

	words[n++] = (char *)program;
	if (!strcmp(option, "--web"))
		words[n++] = "--page";
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
		if (!seen && is_option(argv[i], option))
			seen = true;
		else
			words[n++] = argv[i];
	}
	execv(program, words);
	if (errno == ENOENT)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: no %s; this stap was built without libmicrohttpd "
				    "or libyaml; %s, then build it again",
				    option, program,
				    remedy_command(s->arena, REMEDY_LIBMICROHTTPD, NULL));
	return error_errno(s->arena, "%s", program);
}

struct error *exporter_become(struct session *s, int *status)
{
	return become(s, "--exporter", script_name(s));
}

struct error *exporter_become_page(struct session *s, int *status)
{
	const char *name = script_name(s);

	if (!name)
		return error_create(s->arena, ERROR_USAGE,
				    "--web needs a script: a file, -e TEXT or --example NAME");
	return become(s, "--web", name);
}
