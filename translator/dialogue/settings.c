/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of stap that hold for the runs of a dialogue. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "dialogue/dialogue.h"

/*
 * Gives a first word without '-' that of an option: "timeout 5" is --timeout=5, "T 5" is
 * -T 5.
 */
static void complete_dashes(struct dialogue *d, int *argc, char **argv)
{
	struct arena *a = d->s->arena;

	if (!*argc || argv[0][0] == '-')
		return;
	if (!argv[0][1]) {
		argv[0] = arena_printf(a, "-%s", argv[0]);
	} else if (*argc == 2 && !strchr(argv[0], '=')) {
		argv[0] = arena_printf(a, "--%s=%s", argv[0], argv[1]);
		*argc = 1;
	} else {
		argv[0] = arena_printf(a, "--%s", argv[0]);
	}
}

bool settings_apply(struct dialogue *d, struct options *o, int argc, char **argv, const char **name)
{
	for (int at = 0; at < argc; at++) {
		struct error *err = options_set(d->s, o, argc, argv, &at, name);

		if (err) {
			fprintf(stderr, "stap: %s\n", err->text);
			return false;
		}
	}
	return true;
}

/* Makes the options anew: those of the command line, then each setting. */
static void apply_all(struct dialogue *d)
{
	struct options before = d->options;
	const char *name;

	d->options = d->start;
	vec_each(&d->settings, i)
		settings_apply(d, &d->options, d->settings.data[i].argc, d->settings.data[i].argv,
			       &name);
	if (!work_is_same_world(&before, &d->options))
		work_warm(d);
}

static const char *join(struct dialogue *d, int argc, char **argv)
{
	struct strbuf out;

	strbuf_init(&out, d->s->arena);
	for (int i = 0; i < argc; i++) {
		bool is_plain = argv[i][0] && !argv[i][strcspn(argv[i], " \t\"'$\\*?()<>|;&")];

		if (i)
			strbuf_addc(&out, ' ');
		if (is_plain)
			strbuf_adds(&out, argv[i]);
		else
			strbuf_addword(&out, argv[i]);
	}
	return out.s;
}

int settings_set(struct dialogue *d, const char *rest)
{
	struct options o = d->options;
	struct setting new = { .name = "" };
	int argc = 0;
	char **argv = dialogue_words(d, rest, &argc);

	if (argv && !argc)
		return settings_show(d, rest);
	if (!argv)
		return 2;
	complete_dashes(d, &argc, argv);
	new.argc = argc;
	new.argv = argv;
	if (!settings_apply(d, &o, argc, argv, &new.name))
		return 2;
	/* Now: a database's password is no argument any more. */
	new.shown = join(d, argc, argv);
	vec_push(d->s->arena, &d->settings, new);
	apply_all(d);
	return 0;
}

/* Returns the option's name as settings have it; an unknown name is none of theirs. */
static const char *name_of(struct dialogue *d, const char *word)
{
	const char *name = options_name(d->s, word);

	return name ? name : word;
}

int settings_unset(struct dialogue *d, const char *rest)
{
	const char *name = name_of(d, rest);
	size_t kept = 0;

	vec_each(&d->settings, i)
		if (strcmp(d->settings.data[i].name, name))
			d->settings.data[kept++] = d->settings.data[i];
	if (kept == d->settings.count) {
		fprintf(stderr, "stap: '%s' is not set here; show lists the options that "
				"are\n", rest);
		return 2;
	}
	d->settings.count = kept;
	apply_all(d);
	return 0;
}

int settings_show(struct dialogue *d, const char *rest)
{
	const char *name = name_of(d, rest);
	size_t n = 0;

	vec_each(&d->settings, i) {
		if (*rest && strcmp(d->settings.data[i].name, name))
			continue;
		puts(d->settings.data[i].shown);
		n++;
	}
	if (!n && *rest)
		printf("%s is not set\n", name);
	return 0;
}
