/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of stap that hold for the runs of a dialogue. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "stap/dialogue/dialogue.h"

/*
 * Turns a first word without '-' into an option: "timeout 5" becomes --timeout=5, "T 5"
 * becomes -T 5.
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

/* SystemTap's names of options, and the corresponding options of a command line. */
static const struct former {
	const char *name, *option;
	bool is_switch; /* VALUE is 0 or 1 */
} formers[] = {
	{ "architecture", "-a", false },
	{ "buffer_size", "-s", false },
	{ "cmd", "-c", false },
	{ "guru_mode", "-g", true },
	{ "kernel_release", "-r", false },
	{ "keep_tmpdir", "-k", true },
	{ "last_pass", "-p", false },
	{ "module_name", "-m", false },
	{ "output_file", "-o", false },
	{ "panic_warnings", "-W", true },
	{ "poison_cache", "--poison-cache", true },
	{ "skip_badvars", "--skip-badvars", true },
	{ "suppress_handler_errors", "--suppress-handler-errors", true },
	{ "suppress_time_limits", "--suppress-time-limits", true },
	{ "suppress_warnings", "-w", true },
	{ "target_pid", "-x", false },
	{ "timing", "-t", true },
	{ "unoptimized", "-u", true },
	{ "verbose", "--vp", false },
	{ "verbosity", "--vp", false },
};

/* Returns SystemTap's option of that name, or NULL. */
static const struct former *find_former(const char *name)
{
	for (size_t i = 0; i < sizeof(formers) / sizeof(formers[0]); i++)
		if (!strcmp(formers[i].name, name))
			return &formers[i];
	return NULL;
}

/* Converts "guru_mode 1" and similar settings to the words of a command line. */
static void translate_former(int *argc, char **argv)
{
	const struct former *f = *argc ? find_former(argv[0]) : NULL;

	if (!f)
		return;
	argv[0] = (char *)f->option;
	if (f->is_switch)
		*argc = 1;
}

/* True: "guru_mode 0" or a similar setting, which unsets the option. */
static bool is_off(int argc, char **argv)
{
	const struct former *f = argc == 2 ? find_former(argv[0]) : NULL;

	return f && f->is_switch && !strcmp(argv[1], "0");
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

/* Builds the options again: those of the command line, then each setting. */
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

/* Returns the option's name as used in settings; returns an unknown name as it is. */
static const char *name_of(struct dialogue *d, const char *word)
{
	const struct former *f = find_former(word);
	const char *name = options_name(d->s, f ? f->option : word);

	return name ? name : word;
}

/* Unsets an option. False: it was not set. */
static bool forget(struct dialogue *d, const char *name)
{
	size_t kept = 0, before = d->settings.count;

	vec_each(&d->settings, i)
		if (strcmp(d->settings.data[i].name, name))
			d->settings.data[kept++] = d->settings.data[i];
	d->settings.count = kept;
	if (kept != before)
		apply_all(d);
	return kept != before;
}

int settings_set(struct dialogue *d, const char *rest)
{
	struct options o = d->options;
	struct setting new = { .name = "" };
	int argc = 0;
	char **argv = prompt_words(d, rest, &argc);

	if (argv && !argc)
		return settings_show(d, rest);
	if (!argv)
		return 2;
	if (is_off(argc, argv))
		return forget(d, name_of(d, find_former(argv[0])->option)), 0;
	translate_former(&argc, argv);
	complete_dashes(d, &argc, argv);
	new.argc = argc;
	new.argv = argv;
	if (!settings_apply(d, &o, argc, argv, &new.name))
		return 2;
	/* Only now: a database's password has been removed from the arguments. */
	new.shown = join(d, argc, argv);
	vec_push(d->s->arena, &d->settings, new);
	apply_all(d);
	return 0;
}

int settings_unset(struct dialogue *d, const char *rest)
{
	if (forget(d, name_of(d, rest)))
		return 0;
	fprintf(stderr, "stap: '%s' is not set here; show lists the options that are\n", rest);
	return 2;
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
